import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { type Handler, packageCases, packageProblems, parseLayer, parsePackage } from "./index.ts";

const MANIFEST = { name: "@acme/guard", version: "1.0.0", description: "a guard" };
const HANDLER = { id: "g", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
const CASES = [
  { name: "bad", event: "PreToolUse", input: {}, want: { answer: "cancel" } },
  { name: "good", event: "PreToolUse", input: {}, want: { answer: "continue" } },
];

type Parts = {
  manifest?: unknown;
  handler?: unknown;
  hooks?: unknown;
  matcher?: string;
  event?: string;
  files?: Record<string, string>;
};

function files({
  manifest = MANIFEST,
  handler = HANDLER,
  hooks,
  matcher,
  event = "PreToolUse",
  files: more = {},
}: Parts): Map<string, Uint8Array> {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  const texts = {
    "hookpkg.json": JSON.stringify(manifest),
    "hooks/hooks.json": JSON.stringify(hooks ?? { hooks: { [event]: [group] } }),
    "guard.ts": 'import { next } from "@hookpkg/sdk";\nexport default () => next();',
    "test/cases/all.json": JSON.stringify(CASES),
    ...more,
  };
  return new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));
}

const found = (parts: Parts) =>
  packageProblems(files(parts)).map(({ code, path, suggestion }) =>
    [code, path, ...(suggestion ? [suggestion] : [])].join(" "),
  );
const only = (parts: Parts): Handler => {
  const [handler] = parsePackage(files(parts)).handlers;
  if (!handler) throw new Error("no handler");
  return handler;
};

test("a right package has no problems and every default filled in", () => {
  expect(found({ matcher: "Bash" })).toEqual([]);
  expect(only({ handler: { id: "g", type: "command", argv: ["./g.sh"] } })).toEqual({
    id: "g",
    event: "PreToolUse",
    matcher: null,
    if: [],
    run: { type: "command", argv: ["./g.sh"] },
    may: ["ask", "cancel"],
    timeoutMs: 10_000,
    failMode: "open",
    once: false,
    async: false,
    answers: "lenient",
    outputLimit: 10_000,
    before: [],
    after: [],
  });
});

const HTTP = { id: "g", type: "http", url: "https://x.example/hook", failMode: "closed", may: ["cancel"] };
const online = (net: string) => ({ ...MANIFEST, capabilities: { net: [net] } });
const NO_HOSTS =
  "1.2.3.4 2130706433 0x7f.1 [::2]:443 x.example. a@x.example x.example:0 *.x.example ẞ.example 169.254.169.254:80";

test("an http handler and its network right in normal form", () => {
  const manifest = { ...online("X.Example"), capabilities: { net: ["X.Example", "localhost:8080"], env: ["TOKEN"] } };
  const handler = { ...HTTP, url: "https://x.example/${CLAUDE_PROJECT_DIR}", headers: { "X-K": "Bearer ${TOKEN}" } };
  expect(found({ manifest, handler })).toEqual([]);
  expect(only({ manifest, handler }).run).toEqual({
    ...{ type: "http", url: "https://x.example/${PROJECT_DIR}", method: "POST" },
    headers: { "x-k": "Bearer ${TOKEN}" },
  });
  const { net } = parsePackage(files({ manifest, handler })).manifest.capabilities;
  expect(net).toEqual(["localhost:8080", "x.example:443"]);
});

const PROMPT = { id: "g", type: "prompt", prompt: "Is this well? $ARGUMENTS" };
const AGENT = { ...PROMPT, type: "agent" };

test.each<[string, Parts, Partial<Handler>]>([
  ["a prompt", { handler: PROMPT }, { may: ["ask", "cancel"], timeoutMs: 20_000 }],
  ["a prompt on a stop", { event: "Stop", handler: PROMPT }, { may: ["cancel"], timeoutMs: 20_000 }],
  ["a trigger", { event: "Notification", handler: PROMPT }, { may: [], timeoutMs: 30_000 }],
  ["a trigger of one's own", { event: "custom.spent", handler: PROMPT }, { may: [], timeoutMs: 30_000 }],
  ["an agent", { matcher: "Bash", handler: AGENT }, { may: ["cancel"], timeoutMs: 45_000 }],
  ["an agent with a rule", { handler: { ...AGENT, if: "Bash(git *)" } }, { may: ["cancel"], timeoutMs: 45_000 }],
  [
    "an agent that patches",
    { matcher: "Bash", handler: { ...AGENT, may: ["patch"], model: "large", timeout: 3 } },
    { may: ["patch"], timeoutMs: 3000, run: { type: "agent", prompt: PROMPT.prompt, model: "large" } },
  ],
])("%s has the defaults of its kind", (_name, parts, want) => {
  expect(found(parts).filter((problem) => problem.startsWith("E_"))).toEqual([]);
  expect(only(parts)).toMatchObject(want);
});

test("a package may ask for the person's model", () => {
  const manifest = { ...MANIFEST, capabilities: { model: true } };
  expect(found({ matcher: "Bash", manifest })).toEqual([]);
  expect(parsePackage(files({ manifest })).manifest.capabilities.model).toBe(true);
});

const AT = "hooks/hooks.json: hooks.PreToolUse[0].hooks[0]";
test.each<[string, Parts, string]>([
  [
    "an unknown manifest field",
    { manifest: { ...MANIFEST, desciption: "x" } },
    "E_FIELD_UNKNOWN hookpkg.json: desciption description",
  ],
  [
    "a missing field",
    { manifest: { name: "@acme/guard", version: "1.0.0" } },
    "E_FIELD_MISSING hookpkg.json: description",
  ],
  ["a wrong type", { manifest: { ...MANIFEST, keywords: "x" } }, "E_FIELD_VALUE hookpkg.json: keywords"],
  ["a bad name", { manifest: { ...MANIFEST, name: "guard" } }, "E_FIELD_VALUE hookpkg.json: name"],
  ["a bad version", { manifest: { ...MANIFEST, version: "1.0.0+a" } }, "E_FIELD_VALUE hookpkg.json: version"],
  ["an unknown handler field", { handler: { ...HANDLER, timout: 5 } }, `E_FIELD_UNKNOWN ${AT}.timout timeout`],
  ["snake case", { handler: { ...HANDLER, fail_mode: "open" } }, `E_FIELD_UNKNOWN ${AT}.fail_mode failMode`],
  ["milliseconds", { handler: { ...HANDLER, timeout: 5000 } }, `E_TIMEOUT_UNIT ${AT}.timeout 5`],
  ["an endless timeout", { handler: { ...HANDLER, timeout: 601 } }, `E_FIELD_VALUE ${AT}.timeout`],
  ["an unknown event", { event: "PreToolUze" }, "E_EVENT_UNKNOWN hooks/hooks.json: hooks.PreToolUze PreToolUse"],
  ["a wrong-case event", { event: "PRETOOLUSE" }, "E_EVENT_UNKNOWN hooks/hooks.json: hooks.PRETOOLUSE PreToolUse"],
  ["a slip in a dotted event", { event: "tool.cal" }, "E_EVENT_UNKNOWN hooks/hooks.json: hooks.tool.cal tool.call"],
  ["a slip in an open event", { event: "custm.x" }, "E_EVENT_UNKNOWN hooks/hooks.json: hooks.custm.x custom.x"],
  [
    "a right that the event has not",
    { event: "PostToolUse", handler: { ...HANDLER, may: ["cancel", "allow"] } },
    "E_MAY_EVENT hooks/hooks.json: hooks.PostToolUse[0].hooks[0].may",
  ],
  ["closed without cancel", { handler: { ...HANDLER, may: ["context"] } }, `E_CLOSED_WITHOUT_CANCEL ${AT}`],
  [
    "closed on a notice",
    { event: "SessionEnd", handler: HANDLER },
    "E_CLOSED_WITHOUT_CANCEL hooks/hooks.json: hooks.SessionEnd[0].hooks[0]",
  ],
  ["a bad regex", { matcher: "^(Bash" }, `E_MATCHER_REGEX ${AT}: matcher`],
  ["a lookaround", { matcher: "(?=Bash)" }, `E_MATCHER_REGEX ${AT}: matcher`],
  ["a wrong case tool", { matcher: "bash" }, "E_MATCHER_TOOL hooks/hooks.json: hooks.PreToolUse[0].matcher Bash"],
  [
    "a wrong-case source",
    { event: "SessionStart", matcher: "Startup|resume" },
    "E_MATCHER_VALUE hooks/hooks.json: hooks.SessionStart[0].matcher startup",
  ],
  [
    "a slip in a trigger",
    { event: "PreCompact", matcher: "manuel" },
    "E_MATCHER_VALUE hooks/hooks.json: hooks.PreCompact[0].matcher manual",
  ],
  ["a missing module", { handler: { ...HANDLER, module: "./other.ts" } }, `E_MODULE_MISSING ${AT}.module`],
  ["a module outside", { handler: { ...HANDLER, module: "../guard.ts" } }, `E_MODULE_MISSING ${AT}.module`],
  ["an import of npm", { files: { "guard.ts": 'import "left-pad"; export default () => {}' } }, "E_IMPORT guard.ts"],
  [
    "an import that leaves",
    { files: { "guard.ts": 'import "../x.ts"; export default () => {}' } },
    "E_IMPORT guard.ts",
  ],
  [
    "an import behind an import",
    { files: { "guard.ts": 'import "./a.ts"; export default () => {}', "a.ts": 'import("https://x.example/y")' } },
    "E_IMPORT a.ts",
  ],
  [
    "a module among the papers",
    { handler: { ...HANDLER, module: "./test/g.ts" }, files: { "test/g.ts": "" } },
    `E_MODULE_MISSING ${AT}.module`,
  ],
  [
    "an import of a paper",
    { files: { "guard.ts": 'import "./docs/x.ts"; export default () => {}', "docs/x.ts": "" } },
    "E_IMPORT guard.ts",
  ],
  ["code that is no code", { files: { "guard.ts": "export default (" } }, "E_FILE_UNREADABLE guard.ts"],
  ["argv and command", { handler: { id: "g", type: "command", argv: ["a"], command: "b" } }, `E_FIELD_VALUE ${AT}`],
  ["neither of them", { handler: { id: "g", type: "command" } }, `E_FIELD_VALUE ${AT}`],
  ["an unknown placeholder", { handler: { id: "g", type: "command", argv: ["${HOME}/x"] } }, `E_PLACEHOLDER ${AT}`],
  [
    "a near placeholder",
    { handler: { id: "g", type: "command", command: "${PLUGINROOT}/x" } },
    `E_PLACEHOLDER ${AT} \${PLUGIN_ROOT}`,
  ],
  [
    "percent signs",
    { handler: { id: "g", type: "command", command: "%PLUGIN_ROOT%/x" } },
    `E_PLACEHOLDER ${AT} \${PLUGIN_ROOT}`,
  ],
  [
    "braces",
    { handler: { id: "g", type: "command", command: "{{plugin_root}}/x" } },
    `E_PLACEHOLDER ${AT} \${PLUGIN_ROOT}`,
  ],
  [
    "no dollar",
    { handler: { id: "g", type: "command", command: "PLUGIN_ROOT/x" } },
    `E_PLACEHOLDER ${AT} \${PLUGIN_ROOT}`,
  ],
  [
    "two of one id",
    { hooks: { hooks: { PreToolUse: [{ hooks: [HANDLER, HANDLER] }] } } },
    "E_HANDLER_ID_TWICE hooks/hooks.json: hooks.PreToolUse[0].hooks[1].id",
  ],
  ["an id with a blank", { handler: { ...HANDLER, id: "no rm" } }, `E_FIELD_VALUE ${AT}.id`],
  ["a prompt that is none", { handler: { id: "g", type: "prompt", prompt: " " } }, `E_FIELD_VALUE ${AT}.prompt`],
  ["a model of no size", { handler: { ...PROMPT, model: "huge" } }, `E_FIELD_VALUE ${AT}.model`],
  ["a prompt that patches", { handler: { ...PROMPT, may: ["patch"] } }, `E_MAY_MODEL ${AT}.may`],
  ["an agent that asks", { matcher: "Bash", handler: { ...AGENT, may: ["cancel", "ask"] } }, `E_MAY_MODEL ${AT}.may`],
  ["an agent that allows", { matcher: "Bash", handler: { ...AGENT, may: ["allow"] } }, `E_MAY_MODEL ${AT}.may`],
  ["an agent of every call", { handler: AGENT }, `E_AGENT_MATCHER ${AT}`],
  ["a prompt as an observer", { handler: { ...PROMPT, async: true } }, `E_MODEL_PLACE ${AT}`],
  ["a prompt that may say nothing", { handler: { ...PROMPT, may: [] } }, `E_MODEL_PLACE ${AT}`],
  [
    "a prompt where only context counts",
    { event: "SubagentStart", handler: PROMPT },
    `E_MODEL_PLACE ${AT.replace("PreToolUse", "SubagentStart")}`,
  ],
  [
    "an agent on a notice",
    { event: "SessionEnd", handler: AGENT },
    `E_MODEL_PLACE ${AT.replace("PreToolUse", "SessionEnd")}`,
  ],
  [
    "a prompt that tells on a notice",
    { event: "SessionEnd", handler: { ...PROMPT, may: ["cancel"] } },
    `E_MAY_EVENT ${AT.replace("PreToolUse", "SessionEnd")}.may`,
  ],
  [
    "a closed guard that is a model's word",
    { handler: { ...PROMPT, failMode: "closed", may: ["cancel"] } },
    `W_GUARD_MODEL ${AT}`,
  ],
  ["a host that is not declared", { handler: HTTP }, `E_HTTP_HOST ${AT}.url`],
  [
    "another port than the declared one",
    { manifest: online("x.example:8443"), handler: HTTP },
    `E_HTTP_HOST ${AT}.url`,
  ],
  [
    "an address instead of a name",
    { manifest: online("x.example"), handler: { ...HTTP, url: "https://0x7f.1/" } },
    `E_HTTP_URL ${AT}.url`,
  ],
  [
    "a password in the address",
    { manifest: online("x.example"), handler: { ...HTTP, url: "https://a:b@x.example/" } },
    `E_HTTP_URL ${AT}.url`,
  ],
  [
    "a host that is put in",
    { manifest: online("x.example"), handler: { ...HTTP, url: "https://${PROJECT_DIR}.x.example/" } },
    `E_HTTP_URL ${AT}.url`,
  ],
  [
    "a variable in the address",
    { manifest: online("x.example"), handler: { ...HTTP, url: "https://x.example/${TOKEN}" } },
    `E_PLACEHOLDER ${AT}.url`,
  ],
  [
    "a header of ours",
    { manifest: online("x.example"), handler: { ...HTTP, headers: { Host: "y.example" } } },
    `E_HTTP_HEADER ${AT}.headers.host`,
  ],
  [
    "a header twice",
    { manifest: online("x.example"), handler: { ...HTTP, headers: { "X-K": "a", "x-k": "b" } } },
    `E_HTTP_HEADER ${AT}.headers.x-k`,
  ],
  [
    "a header of two lines",
    { manifest: online("x.example"), handler: { ...HTTP, headers: { "x-k": "a\r\nhost: y" } } },
    `E_HTTP_HEADER ${AT}.headers.x-k`,
  ],
  [
    "a variable that is not declared",
    { manifest: online("x.example"), handler: { ...HTTP, headers: { "x-k": "${TOKEN}" } } },
    `E_HTTP_VARIABLE ${AT}.headers`,
  ],
  ...NO_HOSTS.split(" ").map((net): [string, Parts, string] => [
    `no name of a host: ${net}`,
    { manifest: online(net) },
    "E_FIELD_VALUE hookpkg.json: capabilities.net[0]",
  ]),
  ["a closed observer", { handler: { ...HANDLER, async: true } }, `E_CLOSED_WITHOUT_CANCEL ${AT}`],
  [
    "an observer that may cancel",
    { handler: { ...HANDLER, async: true, failMode: "open", may: ["cancel"] } },
    `E_MAY_EVENT ${AT}.may`,
  ],
  ["a closed guard that runs once", { handler: { ...HANDLER, once: true } }, `E_ONCE_GUARD ${AT}`],
  [
    "a veto on tool calls that runs once",
    { handler: { ...HANDLER, once: true, failMode: "open", may: ["cancel"] } },
    `E_ONCE_GUARD ${AT}`,
  ],
  [
    "once and the event's own default, which cancels",
    { handler: { id: "g", type: "command", argv: ["a"], once: true } },
    `E_ONCE_GUARD ${AT}`,
  ],
  [
    "a closed stage that runs once",
    { event: "Stop", handler: { ...HANDLER, once: true } },
    "E_ONCE_GUARD hooks/hooks.json: hooks.Stop[0].hooks[0]",
  ],
  [
    "closed where nothing can be cancelled",
    { event: "SubagentStart", handler: { ...HANDLER, may: undefined } },
    "E_CLOSED_WITHOUT_CANCEL hooks/hooks.json: hooks.SubagentStart[0].hooks[0]",
  ],
  [
    "a rule where there is no call",
    { event: "Stop", handler: { ...HANDLER, if: "Bash(git *)" } },
    "E_RULE hooks/hooks.json: hooks.Stop[0].hooks[0].if",
  ],
  [
    "a write that runs later",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/.git/hooks"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write of CLAUDE.local.md",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/CLAUDE.local.md"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write of .cursorrules",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/.cursorrules"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write of AGENTS.override.md",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/AGENTS.override.md"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write of .gitmodules",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/.gitmodules"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write of .npmrc/x",
    { manifest: { ...MANIFEST, capabilities: { write: ["sub/.npmrc/x"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a write outside",
    { manifest: { ...MANIFEST, capabilities: { write: ["/etc"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.write[0]",
  ],
  [
    "a read of everything",
    { manifest: { ...MANIFEST, capabilities: { read: ["~/**"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.read[0]",
  ],
  [
    "a loader variable",
    { manifest: { ...MANIFEST, capabilities: { env: ["LD_PRELOAD"] } } },
    "E_FIELD_VALUE hookpkg.json: capabilities.env[0]",
  ],
  [
    "an option of another type",
    { manifest: { ...MANIFEST, options: { x: { type: "number", default: "1" } } } },
    "E_FIELD_VALUE hookpkg.json: options.x.default",
  ],
  ["a guard that is open", { handler: { ...HANDLER, failMode: "open" } }, `W_GUARD_OPEN ${AT}`],
  [
    "more time than a session's end gives",
    {
      event: "SessionEnd",
      handler: { ...HANDLER, may: [], failMode: "open", timeout: 2 },
      files: { "test/cases/all.json": "[]" },
    },
    `W_TIMEOUT_CLAMPED ${AT.replace("PreToolUse", "SessionEnd")}.timeout 1`,
  ],
  ["no cases", { files: { "test/cases/all.json": "[]" } }, "W_CASES test/cases"],
  [
    "a case of nothing",
    { files: { "test/cases/all.json": '{"name":"x"}' } },
    "E_FIELD_MISSING test/cases/all.json: event",
  ],
  [
    "a required event that there is not",
    { manifest: { ...MANIFEST, requires: { events: ["Stop", "PreToolUze"] } } },
    "E_EVENT_UNKNOWN hookpkg.json: requires.events[1] PreToolUse",
  ],
  ["not JSON", { files: { "hookpkg.json": "{" } }, "E_FILE_UNREADABLE hookpkg.json"],
  ["a key twice", { files: { "hookpkg.json": '{"name":"@a/b","name":"@a/c"}' } }, "E_FILE_UNREADABLE hookpkg.json"],
  [
    "a proto key",
    { files: { "hookpkg.json": '{"__proto__":{},"name":"@a/b","version":"1.0.0","description":""}' } },
    "E_FIELD_UNKNOWN hookpkg.json: __proto__",
  ],
])("%s is named with its place", (_name, parts, want) => {
  expect(found(parts)).toContain(want);
});

test("all faults are named at once, and parsePackage refuses with all of them", () => {
  const parts: Parts = { manifest: { ...MANIFEST, x: 1, version: "one" }, handler: { ...HANDLER, y: 1 } };
  expect(found(parts).length).toBeGreaterThanOrEqual(3);
  try {
    parsePackage(files(parts));
    throw new Error("accepted");
  } catch (error) {
    expect(
      isFault(error, "E_PACKAGE_INVALID") && Array.isArray(error.facts.problems) && error.facts.problems.length,
    ).toBeGreaterThanOrEqual(3);
  }
});

test.each([
  ["${PLUGIN_ROOTS}/x", "PLUGIN_ROOT"],
  ["${PLUGIN_ROT}/x", "PLUGIN_ROOT"],
  ["${CLAUDE_PROJECT_ROOT}/x", "PROJECT_DIR"],
  ['"$PLUGIN_ROTO"/x', "PLUGIN_ROOT"],
  ['"$CLAUDE_PLUGIN_ROOT"/x "${CLAUDE_PROJECT_DIR:-.}" $HOME ${PLUGIN_OPTIONS} $CLAUDE_CODE_REMOTE', undefined],
  ["PROJECT_DIRS=$(ls); for PLUGIN_ROT in $PROJECT_DIRS; do echo ${PLUGIN_ROT}; done", undefined],
])("a near miss of a placeholder in a shell line: %s", (command, meant) => {
  const problems = found({ handler: { id: "g", type: "command", command } });
  const misses = problems.filter((line) => line.startsWith("E_PLACEHOLDER"));
  expect(misses).toEqual(meant === undefined ? [] : [`E_PLACEHOLDER ${AT} \${${meant}}`]);
});

test("a field that stands elsewhere is not suggested for itself, but its place is said", () => {
  const said = (parts: Parts) => packageProblems(files(parts)).find(({ code }) => code === "E_FIELD_UNKNOWN");
  expect(said({ handler: { ...HANDLER, command: "x" } })).toEqual({
    ...{ code: "E_FIELD_UNKNOWN", path: `${AT}.command` },
    detail: "here: it belongs to command handlers",
  });
  expect(said({ handler: { ...HANDLER, matcher: "Bash" } })?.detail).toContain("groups of handlers");
  expect(said({ handler: { ...HANDLER, model: "small" } })?.detail).toContain("prompt handlers, agent handlers");
});

test.each([
  { type: "command", command: "true", timeout: "soon" },
  { type: "command", argv: ["true"], timeout: "soon" },
  { type: "command", command: 5 },
  { type: "command", argv: "true" },
])("what a command runs is no second fault where another field is wrong: %j", (run) => {
  const problems = found({ handler: { id: "g", may: ["context"], ...run } });
  expect(problems.filter((line) => line.startsWith("E_"))).toEqual([expect.stringMatching(/^E_FIELD_VALUE .*\.\w+$/)]);
});

test("neither argv nor command is said beside a wrong field, too", () => {
  const problems = found({ handler: { id: "g", type: "command", timeout: "soon" } });
  expect(problems.filter((line) => line.startsWith("E_FIELD_VALUE"))).toEqual([
    `E_FIELD_VALUE ${AT}.timeout`,
    `E_FIELD_VALUE ${AT}`,
  ]);
});

test("text that is no JSON is named with line and column", () => {
  const detail = (path: string, text: string) =>
    packageProblems(files({ files: { [path]: text } })).find(({ path: file }) => file === path)?.detail;
  expect(detail("hooks/hooks.json", '{\n  "hooks": {,}\n}')).toContain("line 2, column 13");
  expect(detail("test/cases/all.json", "[\n{]")).toContain("line 2, column 2");
  expect(detail("hookpkg.json", '{"name": "a",\n "name": "b"}')).toContain("name, line 2, column 2");
});

test("names that may lead to this machine are all said where another address was declared", () => {
  const [problem] = packageProblems(files({ manifest: { ...MANIFEST, capabilities: { net: ["10.0.0.1"] } } }));
  expect(problem?.detail).toContain("localhost, 127.0.0.1, [::1]");
});

test("a fault of form hides no other: types, ids, events, matchers, timeouts and cases in one go", () => {
  const module = { type: "module", module: "./gone.ts" };
  const hooks = {
    PreToolUse: [
      {
        matcher: "bash",
        hooks: [
          { id: "UPPER", type: "agent", prompt: "x", timeout: 5000 },
          { ...HANDLER, id: "b", ...module },
        ],
      },
      {
        matcher: "(",
        hooks: [{ id: "c", type: "modul", module: "./guard.ts", timeout: "soon", may: ["cancle"], failMode: "closed" }],
      },
    ],
    PreToolUSe: [{ matcher: "Wrte", hooks: [{ ...HANDLER, id: "b", timeout: 9000, extra: 1 }] }],
    Nothing: "text",
  };
  const problems = found({
    manifest: { ...MANIFEST, version: "one", requires: { events: ["Never"] } },
    hooks: { hooks },
  });
  for (const wanted of [
    "E_FIELD_VALUE hookpkg.json: version",
    "E_FIELD_VALUE hooks/hooks.json: hooks.PreToolUse[0].hooks[0].id",
    "E_TIMEOUT_UNIT hooks/hooks.json: hooks.PreToolUse[0].hooks[0].timeout 5",
    "E_MATCHER_TOOL hooks/hooks.json: hooks.PreToolUse[0].matcher Bash",
    "E_MODULE_MISSING hooks/hooks.json: hooks.PreToolUse[0].hooks[1]",
    "E_FIELD_VALUE hooks/hooks.json: hooks.PreToolUse[1].hooks[0].timeout",
    "E_FIELD_VALUE hooks/hooks.json: hooks.PreToolUse[1].hooks[0].may[0]",
    "E_MATCHER_REGEX hooks/hooks.json: hooks.PreToolUse[1].hooks[0]: matcher",
    "E_EVENT_UNKNOWN hooks/hooks.json: hooks.PreToolUSe PreToolUse",
    "E_FIELD_UNKNOWN hooks/hooks.json: hooks.PreToolUSe[0].hooks[0].extra",
    "E_TIMEOUT_UNIT hooks/hooks.json: hooks.PreToolUSe[0].hooks[0].timeout 9",
    "E_HANDLER_ID_TWICE hooks/hooks.json: hooks.PreToolUSe[0].hooks[0].id",
    "E_FIELD_VALUE hooks/hooks.json: hooks.Nothing",
  ])
    expect(problems.some((line) => line.startsWith(wanted)) ? "" : `${wanted}, of ${problems.join("\n")}`).toBe("");
  expect(problems.filter((line) => line.startsWith("E_CLOSED_WITHOUT_CANCEL"))).toEqual([]);
  expect(new Set(problems).size).toBe(problems.length);
});

test.each([
  [{ argv: ["./check.sh"] }, ["W_PROGRAM_MISSING check.sh"]],
  [{ argv: ["${PLUGIN_ROOT}/bin/check"] }, ["W_PROGRAM_MISSING bin/check"]],
  [{ argv: ["python3", "${CLAUDE_PLUGIN_ROOT}/chek.py"] }, ["W_PROGRAM_MISSING chek.py"]],
  [{ command: "${PLUGIN_ROOT}/inert.sh --fast" }, ["W_PROGRAM_MODE inert.sh"]],
  [{ command: 'python3 "$PLUGIN_ROOT"/gone.py' }, ["W_PROGRAM_MISSING gone.py"]],
  [{ argv: ["bin/run.sh", "${PLUGIN_ROOT}/bin"] }, []],
  [{ argv: ["python3", "${PLUGIN_ROOT}/check.py"] }, []],
  [{ argv: ["jq", "."] }, []],
  [{ argv: ["/bin/sh", "-c", "exit 0"] }, []],
  [{ command: "cd / && ls" }, []],
])("files that a command names: %j", (run, want) => {
  const own = { "bin/run.sh": "", "inert.sh": "", "check.py": "" };
  const handler = { id: "g", type: "command", may: ["cancel"], failMode: "closed", ...run };
  const problems = packageProblems(files({ handler, files: own }), new Set(["bin/run.sh"]));
  expect(problems.map(({ code, detail }) => `${code} ${detail}`)).toEqual(want);
});

test("a package without its two files says which is missing", () => {
  expect(packageProblems(new Map()).map(({ code, path }) => `${code} ${path}`)).toEqual([
    "E_FILE_MISSING hookpkg.json",
    "E_FILE_MISSING hooks/hooks.json",
  ]);
});

test("once, async and strict are carried, with the defaults of an observer", () => {
  const plain = { id: "g", type: "command", argv: ["a"] };
  expect(only({ handler: { ...plain, async: true } })).toMatchObject({ async: true, may: [], timeoutMs: 30_000 });
  expect(only({ handler: { ...plain, once: true, may: ["context"] } })).toMatchObject({ once: true, async: false });
  expect(only({ event: "SessionStart", handler: { ...plain, once: true } })).toMatchObject({ once: true });
  expect(only({ handler: { ...plain, answers: "strict" } })).toMatchObject({ answers: "strict" });
  expect(only({ handler: plain })).toMatchObject({ once: false, async: false, answers: "lenient" });
});

test("spellings that mean the same are read the same", () => {
  const plain = only({ handler: { id: "g", type: "command", argv: ["${PLUGIN_ROOT}/g"] } });
  expect(
    only({
      event: "tool.call",
      matcher: "*",
      handler: { id: "g", type: "command", argv: ["${CLAUDE_PLUGIN_ROOT}/g"], may: ["cancel", "ask"], timeout: 10 },
    }),
  ).toEqual(plain);
  expect(only({ matcher: "Write|Edit" })).toEqual(only({ matcher: "Edit, Write" }));
});

test("a case names its event as a handler may, by any spelling", () => {
  const cases = CASES.map((one) => ({ ...one, event: "tool.call" }));
  const parts = { files: { "test/cases/all.json": JSON.stringify(cases) } };
  expect(found(parts)).toEqual([]);
  expect(packageCases(files(parts)).cases.map(({ event }) => event)).toEqual(["PreToolUse", "PreToolUse"]);
});

test("a layer reads JSON before TOML and warns of both", () => {
  const toml =
    '[[hooks.PreToolUse]]\nmatcher = "Bash"\n[[hooks.PreToolUse.hooks]]\nid = "t"\ntype = "command"\nargv = ["true"]\n';
  const json = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ id: "j", type: "command", argv: ["true"] }] }] } });
  const layer = parseLayer(
    new Map(
      [
        ["hooks.toml", toml],
        ["hooks.json", json],
      ].map(([path, text]) => [path ?? "", new TextEncoder().encode(text)]),
    ),
  );
  expect(layer.handlers.map(({ id }) => id)).toEqual(["j", "t"]);
  expect(layer.warnings.map(({ code }) => code)).toContain("W_TWO_SOURCES");
});

test("any bytes in any file give problems, never an exception", () => {
  const names = ["hookpkg.json", "hooks/hooks.json", "guard.ts", "test/cases/all.json"];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 200 }), (name, bytes) => {
      const changed = files({});
      changed.set(name, bytes);
      expect(Array.isArray(packageProblems(changed))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (manifest, hooks) => {
      expect(packageProblems(files({ manifest, hooks })).length).toBeGreaterThan(0);
    }),
  );
});

test("a service has an argv, whose placeholders are ours", () => {
  const argv = ["python3", `\${CLAUDE_PLUGIN_ROOT}/guard.py`];
  expect(only({ handler: { id: "g", type: "service", argv } }).run).toEqual({
    type: "service",
    argv: ["python3", `\${PLUGIN_ROOT}/guard.py`],
  });
  expect(found({ handler: { id: "g", type: "service", argv: [`\${PLUGINROOT}/g`] } })[0]).toStartWith("E_PLACEHOLDER");
  expect(found({ handler: { id: "g", type: "service", command: "g" } }).length).toBeGreaterThan(0);
});
