import type { Facts } from "@hookpkg/fault";
import { shellWord } from "./command-text.ts";

/** What is known of a refusal besides its code: the command that was called, and the fault's facts. */
export type Case = { command?: string | undefined; facts?: Facts };

/**
 * What mends a fault, in one line, with the names of the case in the place of COMMAND, @SCOPE and URL where they are known. A test holds
 * that every declared code has its line, and no line stands for nothing.
 */
export function adviceFor(code: string, { command, facts = {} }: Case = {}): string | undefined {
  const { meant, scope, registry } = facts;
  if (code === "E_COMMAND_UNKNOWN" && typeof meant === "string") return `did you mean: hookpkg ${meant}`;
  const put = (line: string, sign: string, value: unknown) =>
    typeof value === "string" ? line.replaceAll(sign, () => shellWord(value)) : line;
  const line = BY_CODE.get(code);
  if (line === undefined) return undefined;
  const named = command === undefined ? line : line.replaceAll("COMMAND", command);
  return put(put(named, "@SCOPE", scope), "URL", registry);
}

/** Every code that has advice. */
export function advisedCodes(): string[] {
  return ADVICE.flatMap(([, codes]) => codes.split(/\s+/));
}

/** One line, and the codes that it mends. */
const ADVICE: readonly (readonly [line: string, codes: string])[] = [
  // The command line
  ["hookpkg COMMAND --help shows how it is called", "E_USAGE"],
  ["hookpkg --help lists the commands", "E_COMMAND_UNKNOWN"],
  ["run it at a terminal, or give the flag that answers the question", "E_NO_TERMINAL"],
  ["run the command again when you are ready", "E_INTERRUPTED E_INTERRUPTED_AFTER"],
  ["run the command again to be asked again", "E_DECLINED"],
  ["this is a mistake in hookpkg: please report it with the command that you ran", "E_INTERNAL"],
  ["leave --offline out", "E_OFFLINE"],
  ["hookpkg explain E_CODE takes a code as it stands in an error", "E_CODE_UNKNOWN"],
  ["name a host that hookpkg attach --list shows; hookpkg run takes native, too", "E_HOST_UNKNOWN"],
  ["hookpkg log shows what the journal has", "E_DECISION_NONE"],
  ["hookpkg list shows the handlers of this project by name", "E_HANDLER_UNKNOWN"],
  [
    "hookpkg approve --list shows what waits, with its identity",
    "E_IDENTITY_UNKNOWN E_OPTIONS_UNKNOWN E_APPROVE_UNKNOWN E_APPROVE_ORDER",
  ],
  ["hookpkg approve --drop NAME consents to its removal; hookpkg install NAME proposes it again", "E_IDENTITY_DROPPED"],

  [
    "hookpkg diff shows the options; hookpkg approve --list --json has their digest, for --options",
    "E_APPROVE_OPTIONS",
  ],

  // Hosts
  ["name the host: hookpkg attach claude-code; --list shows those that are known", "E_ATTACH_NO_HOST"],
  ["hookpkg attach --list shows what is attached", "E_ATTACH_NONE"],
  ["mend or remove the link, and attach again", "E_ATTACH_LINK"],
  ["make it a plain file that belongs to you, in UTF-8", "E_ATTACH_FILE"],
  ["chmod u+w the file, or add what hookpkg attach --print shows where it is made", "E_ATTACH_READ_ONLY"],
  ["run the command again", "E_ATTACH_CHANGED"],
  ["look at what stands there, and move it away", "E_ATTACH_TAKEN"],
  ["put hookpkg into a folder without $ and ` in its path", "E_ATTACH_PATH"],
  ["run it in a terminal of your own", "E_ATTACH_IN_HOST E_EMIT_IN_HOST"],
  ["give --data one JSON value, a text in double quotes", "E_EMIT_JSON"],
  ["mend the file at that line (only some hosts read past comments): it was left as it is", "E_SETTINGS_PARSE"],
  ["mend the file at what is named: it was left as it is", "E_SETTINGS_FORM"],
  ["add what hookpkg attach --print shows by hand; the file was left as it is", "E_SETTINGS_EDIT"],

  // The bridge
  ["send one JSON object a line, as cli/bridge/README.md shows", "E_BRIDGE_LINE E_BRIDGE_MESSAGE E_BRIDGE_PARAMS"],
  ["initialize answers with the methods and events that there are", "E_BRIDGE_METHOD E_BRIDGE_EVENT"],
  ["call initialize first", "E_BRIDGE_INITIALIZE"],
  ["wait for answers before you ask more", "E_BRIDGE_BUSY"],
  ["give the socket a folder of your own that nobody else can write in: mkdir -m 700 DIR", "E_BRIDGE_FOLDER"],
  ["choose a shorter path, in a folder that is there", "E_BRIDGE_PATH"],
  ["see whether Eva's core still runs, and what packages/hosts/eva/README.md asks of its API", "E_EVA_API"],
  ["end the bridge that answers there, or choose another path", "E_BRIDGE_TAKEN"],

  // Embedding
  ["open another chain; one that was closed stays closed", "E_CHAIN_CLOSED"],
  ["runtime/embed/README.md says what an event and each option of openChain may be", "E_CHAIN_EVENT E_CHAIN_OPTION"],
  ["name a bun of this version, or a program that it compiled, by its absolute path", "E_CHAIN_WORKER"],

  // Files and folders
  ["hookpkg init makes a project here; --project DIR names another", "E_PROJECT_MISSING E_PROJECT_UNKNOWN"],
  ["take the link or file away, and run hookpkg init", "E_PROJECT_FOLDER E_PROJECT_LINK"],
  ["look at the path: does it exist, and may you read it?", "E_FILE_READ E_FOLDER_UNREADABLE E_FOLDER_MISSING"],
  ["look at the path: may you write there, and is the disk full?", "E_FILE_WRITE E_STORE_WRITE"],
  ["move the package below the project, or install it from a registry", "E_LOCAL_OUTSIDE"],
  ["mend the file at the field that is named, or restore it from git", "E_PROJECT_FILE E_LOCK_FILE"],
  ["hookpkg install takes the lock from what the project file wishes", "E_FROZEN E_LOCK_IDENTITY"],
  ["hookpkg list shows what is installed", "E_NOT_INSTALLED"],
  ["install what is named, or a version of the package that needs less", "E_REQUIRES"],
  ["name a folder that is not there, or an empty one", "E_NEW_FOLDER"],
  ["name a plugin's or extension's folder, a hooks.json, settings.json or config.toml", "E_SOURCE_NONE"],
  [
    "--host NAME says whose hooks they are: claude-code, codex, gemini-cli, qwen-code, peri, astracode",
    "E_SOURCE_HOST",
  ],
  ["mend the source, or a copy of it, at the place that is named", "E_SOURCE_FORM E_SOURCE_PATH E_SOURCE_LARGE"],
  ["look at what is said of each hook; hookpkg new --guard writes one to start from", "E_SOURCE_EMPTY"],
  [
    "mend the document at the place that is named",
    "E_JSON E_JSON_TOO_LARGE E_JSON_TOO_DEEP E_JSON_DUPLICATE_KEY E_JSON_NOT_UTF8 E_TOML",
  ],
  [
    "a package holds regular files only: take the link or special file out",
    "E_FOLDER_LINK E_FOLDER_SPECIAL E_FOLDER_NOT_FOLDER",
  ],
  ["run it again while nothing writes to the folder", "E_FOLDER_CHANGED"],
  ["mend .hookpkgignore: one pattern a line, UTF-8, no links", "E_FOLDER_IGNORE_FILE"],

  // A person's own folders and records
  [
    "hookpkg doctor names what is wrong with your folders; --home DIR uses others",
    "E_HOME_LINK E_HOME_OWNER E_HOME_UNWRITABLE",
  ],
  ["give --home DIR, a folder of yours, with every command: nothing says where yours are", "E_HOME_UNKNOWN"],
  ["hookpkg doctor names the file and what mends it", "E_STATE_FILE E_STATE_UNREADABLE E_STATE_UNWRITABLE"],
  ["wait for the other hookpkg, or end it", "E_STATE_BUSY"],
  ["remove /tmp/hookpkg-UID, or whatever stands at its place, and see who made it", "E_SPILL_FOLDER"],
  ["hookpkg data clear --spill, or wait a day: texts go by themselves", "E_SPILL_FULL"],
  ["make room in /tmp", "E_SPILL_UNWRITABLE"],
  ["ask who runs this machine to mend /etc/hookpkg/policy.json", "E_POLICY"],
  ["ask who runs this machine: /etc/hookpkg/policy.json names it", "E_DISABLE_MANAGED"],
  [
    "hookpkg doctor names the file and what mends it",
    "E_APPROVALS_ABSENT E_APPROVALS_FORM E_APPROVALS_KEY E_APPROVALS_SIGNATURE E_APPROVE_UNREADABLE",
  ],

  ["hookpkg approve decides about it anew; hookpkg approve --drop NAME lets it go", "E_APPROVALS_OLDER"],

  // Approving
  [
    "use the key that made the first approval, or --key FILE with a listed one",
    "E_APPROVER_MISSING E_APPROVERS_KEY E_APPROVE_KEY",
  ],
  ["end the host's session, or approve at a terminal outside it: hookpkg approve", "E_APPROVE_SESSION_LIVE"],
  ["end the host and its session; a key with a passphrase signs meanwhile, too", "E_APPROVER_OPEN"],
  ["open a terminal of your own, outside the agent or script, and run hookpkg approve there", "E_APPROVE_IN_HOST"],
  [
    "hookpkg install brings the approved bytes back; hookpkg approve decides about others",
    "E_GATE_IDENTITY E_STORE_MISSING E_STORE_DIFFERS",
  ],
  ["hookpkg disable NAME --undo switches it on again", "E_GATE_DISABLED"],
  ["hookpkg safe-mode --undo switches everything on again as it was", "E_GATE_SAFE_MODE"],
  ["install the package that the policy names, or ask who runs this machine", "E_GATE_MANAGED_MISSING"],
  ["only root may own or write /etc/hookpkg/hooks: chown -R root and chmod -R go-w", "E_LAYER_OWNER"],
  ["take the link away: the store is a folder of its own", "E_STORE_LINK"],
  ["look at the package's options in its hookpkg.json", "E_OPTION E_CASES_OPTION"],

  // The chain and the run of a handler
  [
    "look at before and after in hooks/hooks.json of the packages that are named",
    "E_CHAIN_CYCLE E_CHAIN_REFERENCE E_CHAIN_OFF E_CASES_ORDER E_ORDER_CYCLE E_ORDER_REFERENCE",
  ],
  [
    "hookpkg log shows what the handler said; its author can mend it",
    "E_CHAIN_PATCH E_CHAIN_RUNNER E_RUN_EXITED E_RUN_FLOODED E_RUN_SIGNALLED E_RUN_FRAME E_RUN_THREW E_RUN_MODULE E_RUN_MISSING_SCRIPT",
  ],
  ["a longer timeout or less work; hookpkg log shows how long it took", "E_RUN_LATE"],
  ['a service writes {"ready":1} on a line of its own first, and flushes it; then it reads calls', "E_RUN_NOT_READY"],
  ["ask for more in capabilities.limits of hookpkg.json, or use less", "E_RUN_MEMORY"],
  ["hookpkg uninstall --purge NAME removes what it kept, and hookpkg install NAME brings it back", "E_RUN_QUOTA"],
  ["apt-get install strace (or your distribution's own way)", "E_TRACE_NO_STRACE"],
  ["start fewer processes at once, and keep fewer files in /tmp", "E_RUN_PROCESSES E_RUN_TMP"],
  ["the event is above the size that a handler can be given; nothing mends that here", "E_RUN_PAYLOAD"],
  ["write to fewer or smaller folders", "E_RUN_WRITE_BUSY E_RUN_WRITE_SIZE"],
  ["look at the folder: whose its files are, and what stands under another name there", "E_RUN_WRITE_LEFT"],
  ["a handler writes no such name, and none may be a link where it writes", "E_RUN_PROTECTED"],
  ["declare the right in capabilities of hookpkg.json; it must be approved then", "E_CAPABILITY"],
  [
    "hookpkg log names what was denied; hosts are declared in capabilities.net of hookpkg.json",
    "E_NET_ADDRESS E_NET_URL E_NET_REQUEST E_NET_REDIRECTS",
  ],
  [
    "look whether the host is up, and how much and how fast it answers",
    "E_NET_UNREACHABLE E_NET_MESSAGE E_NET_TOO_LARGE E_NET_LATE E_HTTP_STATUS",
  ],
  [
    "set the variable where the agent is started; hookpkg approve names those that a handler gets",
    "E_HTTP_VARIABLE_MISSING",
  ],
  ["cases of others run without the network: try the handler in a project", "E_HTTP_OFFLINE"],
  [
    "name your model in config.json, as runtime/model/README.md shows; hookpkg doctor looks at it",
    "E_MODEL_NONE E_MODEL_URL",
  ],
  ["let keyFile name a file of yours that nobody else may read: chmod 600", "E_MODEL_KEY"],
  [
    "look whether the model's server is up, whether it knows the model and takes the key",
    "E_MODEL_UNREACHABLE E_MODEL_STATUS E_MODEL_REPLY",
  ],
  ["the program that embeds hookpkg has a model of its own: look there", "E_MODEL_CLIENT"],
  ["a narrower matcher, or a handler that is a program: it can be given more", "E_MODEL_EVENT"],
  ["ask plainer, or another model; hookpkg log shows what it said instead", "E_MODEL_ANSWER"],
  ["ctx.complete takes a prompt and {system, model, maxTokens}, a few times an event", "E_MODEL_REQUEST E_MODEL_LIMIT"],
  ["attach a host or a bridge that can begin a turn", "E_TRIGGER_NOBODY"],
  ["hookpkg log has what was said: the program that begins turns must be asked", "E_TRIGGER_FAILED"],
  ["name it custom.<name>, in lower case; other notices are the hosts' to tell", "E_EMIT_NAME"],
  ["send JSON of at most 64 KiB: an id or a path in the place of the thing itself", "E_EMIT_DATA E_EMIT_SIZE"],
  ["tell less: one notice with a list in it, and none in answer to itself", "E_EMIT_CALL E_EMIT_DEPTH E_EMIT_TOTAL"],
  ["ask for more dataMiB in capabilities.limits of hookpkg.json, or keep less", "E_STORAGE E_STORAGE_QUOTA"],
  ["hookpkg doctor shows whether handlers can run; report it if they can", "E_RUN_BROKEN E_DISPATCH"],

  ["the handler crashed again and again: hookpkg log shows what it said last", "E_RUN_CRASHES"],
  ["too many calls at once wait for this package; a later one will be judged", "E_RUN_QUEUE"],

  // The daemon
  ["hookpkg judges without it; hookpkg doctor names what is wrong with a folder", "E_DAEMON_FOLDER E_DAEMON_CLIENT"],
  ["nothing to mend: it runs already", "E_DAEMON_RUNNING"],
  ["end the process that is named, by its number", "E_DAEMON_STAYS"],

  // The sandbox
  ["use Linux on x64 or arm64, or a container or virtual machine with it", "E_SANDBOX_PLATFORM"],
  ["apt-get install bubblewrap (or your distribution's own way)", "E_SANDBOX_NO_BWRAP"],
  ["apt-get install util-linux: setpriv and prlimit come with it", "E_SANDBOX_NO_PROGRAM"],
  ["sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0", "E_SANDBOX_NO_USERNS"],
  ["use a kernel with seccomp filters; in a container allow them", "E_SANDBOX_SECCOMP"],
  ["do not run hooks on this machine: report what hookpkg doctor shows", "E_SANDBOX_LEAK"],
  ["hookpkg doctor shows what bubblewrap said; in a container it needs the right to mount", "E_SANDBOX_START"],
  ["take the zero byte out of the command or value", "E_SANDBOX_WORD"],

  // What a handler answers
  ["exit 0 with a JSON answer, or 2 with a reason on stderr", "E_ANSWER_EXIT E_ANSWER_SIGNAL E_ANSWER_STRICT_STDERR"],
  [
    "print one JSON object, as UTF-8, and nothing after it",
    "E_ANSWER_NOT_JSON E_ANSWER_ARRAY E_ANSWER_DUPLICATE_KEY E_ANSWER_NOT_UTF8 E_ANSWER_TOO_LARGE",
  ],
  [
    "use the fields that the event's schema names, where it names them",
    "E_ANSWER_UNKNOWN E_ANSWER_VALUE E_ANSWER_PLACE E_ANSWER_STRICT E_ANSWER_EVENT",
  ],
  ["say one thing: two decisions that disagree count as none", "E_ANSWER_DISAGREE"],
  [
    "patch only what the event lets be patched, in its tool's shape",
    "E_ANSWER_PATCH_FIELD E_ANSWER_PATCH_EMPTY E_ANSWER_PATCH_SHAPE",
  ],
  ["name the answer in the handler's may; it must be approved then", "E_NOT_DECLARED"],

  // What a host sends
  [
    "give the host's event as one JSON object on stdin",
    "E_HOST_NOT_JSON E_HOST_TOO_LARGE E_HOST_EVENT_NAME E_HOST_FIELD E_PAYLOAD",
  ],
  ["the host's call is not what its tool takes; hookpkg log shows it", "E_TOOL_SHAPE E_PATCH_UNREADABLE"],
  ["write the matcher as names, such as Bash|Write, or as an RE2 expression", "E_MATCHER_REGEX"],

  // Packages, names, archives
  ["hookpkg validate names every fault and where it is", "E_PACKAGE_INVALID E_CLOSURE_PATH_TWICE E_CLOSURE_SIZE"],
  ["write it as @scope/name: lower-case letters, digits and -", "E_NAME E_SCOPE"],
  ["choose another name: this one stands for somebody else", "E_NAME_RESERVED E_REGISTRY_LOOKALIKE"],
  ["write a version as 1.2.3 and a range as ^1.2 or 1.2.3", "E_VERSION E_RANGE"],
  ["copy the digest whole, as it was printed", "E_DIGEST E_INTEGRITY"],
  [
    "hookpkg pack makes an archive that is accepted; never change one by hand",
    `E_ARCHIVE_GZIP E_ARCHIVE_NOT_TAR E_ARCHIVE_FORMAT
    E_ARCHIVE_EMPTY E_ARCHIVE_TRUNCATED E_ARCHIVE_TRAILING E_ARCHIVE_PADDING E_ARCHIVE_CHECKSUM E_ARCHIVE_HEADER E_ARCHIVE_SIZE
    E_ARCHIVE_SIZE_BINARY E_ARCHIVE_MODE E_ARCHIVE_OWNER E_ARCHIVE_MTIME E_ARCHIVE_SYMLINK E_ARCHIVE_HARD_LINK E_ARCHIVE_DEVICE
    E_ARCHIVE_FIFO E_ARCHIVE_DIRECTORY E_ARCHIVE_TYPE E_ARCHIVE_PAX E_ARCHIVE_PAX_GLOBAL E_ARCHIVE_PAX_SIZE E_ARCHIVE_PAX_KEY
    E_ARCHIVE_ORDER E_ARCHIVE_NOT_CANONICAL E_ARCHIVE_TOP_FOLDER`,
  ],
  ["leave files out with .hookpkgignore, or make them smaller", "E_ARCHIVE_TOO_LARGE E_ARCHIVE_TOO_MANY"],
  [
    "give the file or folder another name",
    `E_ARCHIVE_TOO_DEEP E_ARCHIVE_PATH_LONG E_ARCHIVE_SEGMENT_LONG E_ARCHIVE_PATH_ABSOLUTE
    E_ARCHIVE_PATH_PARENT E_ARCHIVE_PATH_SEGMENT E_ARCHIVE_PATH_SIGN E_ARCHIVE_PATH_UTF8 E_ARCHIVE_PATH_NFC E_ARCHIVE_PATH_CONTROL
    E_ARCHIVE_PATH_INVISIBLE E_ARCHIVE_PATH_WINDOWS E_ARCHIVE_PATH_UNPACKED E_ARCHIVE_DUPLICATE E_ARCHIVE_CASE_TWIN
    E_ARCHIVE_FILE_AND_FOLDER`,
  ],
  ["add one call it must cancel and one it must let pass to test/cases/", "E_CASES_NONE"],
  ["hookpkg test shows what each case wanted and got", "E_CASES_FAILED"],

  // Keys, signatures, scopes
  ["type the passphrase again; a lost one cannot be found out", "E_KEY_PASSPHRASE E_KEY_PASSPHRASE_MISSING"],
  ["give a passphrase, or say --no-passphrase", "E_KEY_UNENCRYPTED"],
  ["name a key file that hookpkg keygen made", "E_KEY_FILE"],
  [
    "do not use this key: make one with hookpkg keygen",
    "E_KEY_LENGTH E_KEY_ENCODING E_KEY_POINT E_KEY_SMALL_ORDER E_KEY_TORSION E_KEY_POSSESSION",
  ],
  ["use it, or move the file away first", "E_KEYGEN_EXISTS"],
  [
    "do not use it: whoever made this document did not follow the format",
    "E_ENVELOPE E_ENVELOPE_TOO_LARGE E_ENVELOPE_TYPE E_ENVELOPE_BASE64 E_STATEMENT E_STATEMENT_SUBJECT E_CANONICAL E_CANONICAL_NUMBER",
  ],
  [
    "do not use it: ask the scope's owner who signed, and with which key",
    "E_ENVELOPE_UNSIGNED E_ENVELOPE_SIGNER E_ENVELOPE_SIGNER_TWICE E_ENVELOPE_SIGNATURE E_RELEASE_KEY E_RELEASE_SCOPE_SEQ",
  ],
  [
    "do not use it: ask the scope's owner what became of its chain",
    "E_SCOPE_CHAIN E_SCOPE_FOREIGN E_SCOPE_SEQUENCE E_SCOPE_PREVIOUS E_SCOPE_THRESHOLD E_VERIFY_SCOPE_MISSING E_VERIFY_SCOPE_ORDER E_VERIFY_SCOPE_ROLLBACK",
  ],
  ["ask the scope's owner whether it moved; nothing follows a move by itself", "E_VERIFY_SCOPE_REGISTRY"],

  // Installing and publishing
  [
    "do not use it: ask who runs the registry, and the package's author",
    "E_VERIFY_ANSWER E_VERIFY_NAME E_VERIFY_VERSION E_VERIFY_ARCHIVE E_VERIFY_TREE E_VERIFY_IDENTITY E_VERIFY_REGISTRY_CHANGED",
  ],
  ["ask who runs it for the root digest; this may be another server", "E_VERIFY_ROOT"],
  ["ask who runs it whether its key was changed; do not go on before you know", "E_REGISTRY_CHANGED"],
  [
    "keep the evidence file and show it to who runs the registry",
    "E_SPLIT_VIEW E_LOG_FORKED E_LOG_INCONSISTENT E_LOG_SHRUNK",
  ],
  [
    "do not use what it says: show the answer to who runs the registry",
    "E_LOG_RANGE E_LOG_PROOF E_LOG_INCLUSION E_LOG_ENTRY_SIZE E_LOG_TILE E_LOG_NOTE E_LOG_KEY E_LOG_UNSIGNED E_LOG_SIGNATURE E_LOG_CHECKPOINT E_LOG_ORIGIN E_LOG_RECEIPT",
  ],
  ["name it with --registry URL", "E_REGISTRY_UNKNOWN"],
  ["look at the address: http or https, a host, and nothing after it", "E_REGISTRY_URL"],
  [
    "look at the address and the network, then try again",
    "E_REGISTRY_UNREACHABLE E_REGISTRY_TIMEOUT E_REGISTRY_TIMEOUT_BODY E_REGISTRY_TRUNCATED E_REGISTRY_STOPPING",
  ],
  [
    "look at the address: this may be another server, or a proxy",
    "E_REGISTRY_REDIRECT E_REGISTRY_CONTENT_TYPE E_REGISTRY_ANSWER E_REGISTRY_TOO_LARGE E_REGISTRY_BLOB",
  ],
  ["look at the name and version: nothing is published there", "E_REGISTRY_NOT_FOUND"],
  [
    "publish it as a new version: raise the version in hookpkg.json",
    "E_REGISTRY_CONFLICT E_PUBLISH_DIFFERS E_REGISTRY_PREVIOUS",
  ],
  ["make the package smaller; hookpkg pack --dry-run shows what is in it", "E_REGISTRY_BODY_TOO_LARGE"],
  [
    "use the same version of hookpkg on both sides",
    "E_REGISTRY_MEDIA_TYPE E_REGISTRY_REQUEST E_REGISTRY_DIGEST E_REGISTRY_STATEMENT E_REGISTRY_ADDRESS E_REGISTRY_NO_BLOB",
  ],
  ["hookpkg scope claim @SCOPE --registry URL", "E_PUBLISH_UNCLAIMED E_REGISTRY_NO_SCOPE"],
  ["ask who runs the registry: its own log says more", "E_REGISTRY_INTERNAL E_REGISTRY_REFUSED"],
  ["hookpkg keygen --scope @SCOPE makes one; --key FILE names another", "E_PUBLISH_NO_KEY"],
  ["choose another scope, or use the keys that claimed it", "E_PUBLISH_SCOPE_TAKEN"],
  ["--key FILE names another key; the scope's owner can delegate to this one", "E_PUBLISH_KEY"],

  // Running a registry
  ["stop the other registry, or name another --data folder", "E_SERVE_IN_USE"],
  ["name another --host or --port", "E_SERVE_LISTEN"],
  [
    "restore the key from a backup: the log's entries are bound to it",
    "E_SERVE_KEY_MISSING E_SERVE_KEY_FILE E_SERVE_KEY_FOREIGN",
  ],
  ["chmod 600 the key file", "E_SERVE_KEY_MODE"],
  [
    "restore the newest backup: the log must go on where it was seen last",
    "E_SERVE_BEHIND E_SERVE_FORKED E_SERVE_CHECKPOINT_MISSING E_LOG_STORE",
  ],
  ["start it with the newer hookpkg that wrote it", "E_STORE_SCHEMA"],
  ["this is a mistake in hookpkg: please report it with the registry's log", "E_STORE_STATE"],
];

const BY_CODE: ReadonlyMap<string, string> = new Map(
  ADVICE.flatMap(([line, codes]) => codes.split(/\s+/).map((code) => [code, line] as const)),
);
