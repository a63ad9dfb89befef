import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pack, placeTree, readFolder } from "@hookpkg/archive";
import {
  addApprover,
  approve,
  dispatch,
  type Engine,
  type EngineOptions,
  type Home,
  homeFolders,
  type Outside,
  openEngine,
  type Project,
  REAL_OUTSIDE,
  type Request,
  readJournal,
  readLocalPackage,
  registerProject,
  sandboxOf,
  trustView,
} from "@hookpkg/runtime";
import { generateKey, type PrivateKey } from "@hookpkg/signing";
import {
  type Decision,
  type JournalLine,
  LOCK_FILE,
  type LockEntry,
  lockText,
  type Payload,
  type Version,
} from "@hookpkg/spec";

/** One handler's entry of hooks.json with its event and matcher; `script` is short for a command, `code` for a module of its own. */
export type HandlerText = {
  id?: string;
  event?: string;
  matcher?: string;
  script?: string;
  code?: string;
} & Readonly<Record<string, unknown>>;
export type PackageText = {
  handlers: readonly HandlerText[];
  files?: Readonly<Record<string, string>>;
  manifest?: Readonly<Record<string, unknown>>;
};

/** A project with approved packages, a person's key and folders, and this machine's real sandbox. */
export class GuardedProject {
  readonly home: Home;
  readonly root: string;
  /** Long texts go below a folder of this project's own. */
  readonly outside: Outside;
  readonly #base: string;
  #project: Project | undefined;
  #key: PrivateKey | undefined;

  constructor() {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-rules-")));
    this.home = homeFolders(join(this.#base, "home"));
    this.root = join(this.#base, "project");
    this.outside = { ...REAL_OUTSIDE, temporary: join(this.#base, "tmp") };
    for (const folder of [this.root, this.outside.temporary]) mkdirSync(folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  async project(): Promise<Project> {
    this.#project ??= await registerProject(this.home, this.root);
    return this.#project;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Proposes these packages in this order, in the place of what was proposed before. */
  async propose(packages: Readonly<Record<string, PackageText>>): Promise<void> {
    const entries: [string, LockEntry][] = [];
    for (const [name, text] of Object.entries(packages)) {
      const folder = packageFolder(this.#base, name, text);
      const archive = pack(await readFolder(folder));
      await placeTree(this.home.store, archive);
      const { identities } = await readLocalPackage(folder);
      entries.push([
        name,
        {
          version: "1.0.0" as Version, // written by this test
          registry: "https://registry.test",
          integrity: archive.sha512,
          tree: archive.tree,
          statement: archive.tree,
          log: { index: 0, size: 1, root: `${"A".repeat(43)}=`, sig: "" },
          handlers: Object.fromEntries(identities.map(({ id, identity }) => [id, identity])),
        },
      ]);
    }
    this.write(LOCK_FILE, lockText({ lock: 1, packages: Object.fromEntries(entries) }));
  }

  async view() {
    return trustView(this.home, await this.project(), REAL_OUTSIDE);
  }

  /** Approves everything that is proposed. */
  async consent(): Promise<void> {
    const place = await this.project();
    if (this.#key === undefined) {
      this.#key = await generateKey();
      await addApprover(this.home, { public: this.#key.public, kind: "person" });
    }
    const wanted = (await this.view()).handlers.flatMap(({ proposed }) =>
      proposed?.readable ? [{ handler: proposed.name, identity: proposed.identity, decided: "approved" as const }] : [],
    );
    const note = { how: "terminal", by: "tester", at: "2030-01-01T00:00:00Z" } as const;
    await approve(this.home, place, wanted, { signer: this.#key, note, outside: REAL_OUTSIDE });
  }

  /** One event through the chain and the sandbox; what is left for later is done, too. */
  async send(
    payload: Partial<Payload> = {},
    request: Partial<Request> = {},
    options: Partial<EngineOptions> = {},
  ): Promise<Decision> {
    const left: (() => Promise<void>)[] = [];
    const after = (work: () => Promise<void>) => void left.push(work);
    const decision = await dispatch(
      { payload: this.event(payload), host: "claude-code", canAsk: true, after, ...request },
      this.engine(options),
    );
    for (const work of left) await work();
    return decision;
  }

  event(payload: Partial<Payload>): Payload {
    const name = payload.hook_event_name ?? "PreToolUse";
    const call = name.includes("ToolUse") || name === "PermissionRequest";
    return {
      ...{ hook_event_name: name, session_id: "s1", transcript_path: null, cwd: this.root },
      ...(call ? { tool_name: "Bash", tool_input: { command: "ls" } } : {}),
      ...payload,
    };
  }

  engine(options: Partial<EngineOptions> = {}): Engine {
    return openEngine({
      home: this.home,
      outside: this.outside,
      env: {},
      worker: process.execPath,
      sandbox: () => sandbox(this.home),
      ...options,
    });
  }

  async journal(): Promise<JournalLine[]> {
    return readJournal(this.home, (await this.project()).id, { limit: 200 });
  }
}

/** Packages that are approved already. */
export async function guarded(packages: Readonly<Record<string, PackageText>>): Promise<GuardedProject> {
  const made = new GuardedProject();
  await made.propose(packages);
  await made.consent();
  return made;
}

/** The same for one package, `@acme/rules`. */
export async function guardedBy(
  handlers: readonly HandlerText[],
  files: PackageText["files"] = {},
): Promise<GuardedProject> {
  return guarded({ "@acme/rules": { handlers, files } });
}

/** Tried once for all: it is the same machine. */
let tried: ReturnType<typeof sandboxOf> | undefined;
function sandbox(home: Home) {
  tried ??= sandboxOf(home, process.execPath);
  return tried;
}

let count = 0;

/** A package's folder with these handlers. */
function packageFolder(base: string, name: string, { handlers, files = {}, manifest = {} }: PackageText): string {
  const folder = join(base, `package-${count++}`);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const hooks: Record<string, unknown[]> = {};
  for (const { event = "PreToolUse", matcher, script, code, ...more } of handlers) {
    const id = more.id ?? "guard";
    if (code !== undefined) write(`${id}.ts`, code);
    const run = code === undefined ? { type: "command", command: script } : { type: "module", module: `./${id}.ts` };
    const kind = more.type === undefined ? run : {};
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ id, ...kind, ...more }] };
    hooks[event] = [...(hooks[event] ?? []), group];
  }
  write("hookpkg.json", JSON.stringify({ name, version: "1.0.0", description: "for tests", ...manifest }));
  write("hooks/hooks.json", JSON.stringify({ hooks }));
  for (const [path, text] of Object.entries(files)) write(path, text);
  return folder;
}
