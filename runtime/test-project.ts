import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { discardFolder, pack, placeTree, readFolder } from "@hookpkg/archive";
import { generateKey, type PrivateKey } from "@hookpkg/signing";
import {
  type Answer,
  type HandlerName,
  isLocalKey,
  LOCK_FILE,
  type Lock,
  type LockEntry,
  lockText,
  type Payload,
  type Version,
} from "@hookpkg/spec";
import { dispatch } from "./dispatch.ts";
import { approve, type Wanted } from "./gate/approve.ts";
import type { Runnable } from "./gate/runnable.ts";
import { readLocalPackage } from "./gate/stored-package.ts";
import { trustView } from "./gate/trust-view.ts";
import { type Home, homeFolders } from "./home.ts";
import { type Outside, REAL_OUTSIDE } from "./outside.ts";
import { addApprover } from "./person/approvers.ts";
import { type Project, registerProject } from "./person/projects.ts";
import type { Engine, Request } from "./request.ts";

/** For tests: one handler's entry in hooks.json with what differs from a plain closed guard. */
export type HandlerText = { id?: string; event?: string; matcher?: string } & Readonly<Record<string, unknown>>;
export type PackageText = {
  version?: string;
  handlers?: readonly HandlerText[];
  files?: Readonly<Record<string, string>>;
  manifest?: Readonly<Record<string, unknown>>;
};

/** A person with a home, a key and one project, all on the real disk; a clock that stands still until it is moved. */
export type Person = {
  home: Home;
  root: string;
  project: Project;
  key: PrivateKey;
  outside: Outside & { at: number };
  policy: string;
};

export const scratch: string[] = [];

export function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-test-")));
  scratch.push(folder);
  return folder;
}

export function sweepScratch(): void {
  for (const folder of scratch.splice(0)) discardFolder(folder); // its store is sealed
}

export async function person(): Promise<Person> {
  const base = temporary();
  const home = homeFolders(join(base, "home"));
  const root = join(base, "work", "project");
  mkdirSync(root, { recursive: true });
  const policy = join(base, "etc", "policy.json");
  const outside = {
    ...REAL_OUTSIDE,
    at: Date.parse("2030-01-01T00:00:00Z"),
    policyFile: policy,
    now: () => new Date(outside.at),
    temporary: join(base, "tmp"),
  };
  mkdirSync(outside.temporary);
  outside.policyOwner = process.getuid?.() ?? 0;
  const key = await generateKey();
  await addApprover(home, { public: key.public, kind: "person" });
  return { home, root, project: await registerProject(home, root), key, outside, policy };
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A package's folder on the disk. */
export function packageFolder(
  name: string,
  { version = "1.0.0", handlers = [{}], files = {}, manifest = {} }: PackageText,
): string {
  const folder = temporary();
  const hooks: Record<string, unknown[]> = {};
  for (const { event = "PreToolUse", matcher, ...entry } of handlers) {
    const plain = { id: "guard", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
    hooks[event] = [
      ...(hooks[event] ?? []),
      { ...(matcher === undefined ? {} : { matcher }), hooks: [{ ...plain, ...entry }] },
    ];
  }
  write(folder, "hookpkg.json", JSON.stringify({ name, version, description: "for tests", ...manifest }));
  write(folder, "hooks/hooks.json", JSON.stringify({ hooks }));
  write(folder, "guard.ts", "export default () => undefined;\n");
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  return folder;
}

/** Puts packages into the store and gives the lock that proposes them, in this order. */
export async function lockOf(home: Home, packages: Readonly<Record<string, PackageText>>): Promise<Lock> {
  const entries: [string, LockEntry][] = [];
  for (const [name, text] of Object.entries(packages)) {
    const archive = pack(await readFolder(packageFolder(name, text)));
    await placeTree(home.store, archive);
    const read = await readLocalPackage(packageFolder(name, text));
    entries.push([
      name,
      {
        version: (text.version ?? "1.0.0") as Version,
        registry: "https://registry.test",
        integrity: archive.sha512,
        tree: archive.tree,
        statement: archive.tree,
        log: { index: 0, size: 1, root: `${"A".repeat(43)}=`, sig: "" },
        handlers: Object.fromEntries(read.identities.map(({ id, identity }) => [id, identity])),
      },
    ]);
  }
  return { lock: 1, packages: Object.fromEntries(entries) };
}

export async function propose(who: Person, packages: Readonly<Record<string, PackageText>>): Promise<Lock> {
  const lock = await lockOf(who.home, packages);
  write(who.root, LOCK_FILE, lockText(lock));
  return lock;
}

/** A local package in the project, proposed by its lock. */
export async function proposeLocal(who: Person, dir: string, text: PackageText): Promise<void> {
  const folder = packageFolder("@local/any", text);
  const read = await readLocalPackage(folder);
  for (const file of read.files) write(who.root, `${dir}/${file.path}`, new TextDecoder().decode(file.bytes));
  const key = `file:./${dir}`;
  if (!isLocalKey(key)) throw new Error(key);
  const entry: LockEntry = {
    version: "1.0.0" as Version,
    registry: key,
    integrity: pack(read.files).sha512,
    tree: read.tree,
    handlers: Object.fromEntries(read.identities.map(({ id, identity }) => [id, identity])),
  };
  write(who.root, LOCK_FILE, lockText({ lock: 1, packages: { [key]: entry } }));
}

export const note = { how: "terminal", by: "tester", at: "2030-01-01T00:00:00Z" } as const;

/** Approves (or rejects) everything that waits, as a person does after having looked. */
export async function consent(
  who: Person,
  decided: Wanted["decided"] = "approved",
  signer = who.key,
  at: string = note.at,
): Promise<void> {
  const { handlers } = await trustView(who.home, who.project, who.outside);
  const wanted = handlers.flatMap(({ proposed }) =>
    proposed?.readable
      ? [{ handler: proposed.name, identity: proposed.identity, decided, options: proposed.options.digest }]
      : [],
  );
  await approve(who.home, who.project, wanted, { signer, note: { ...note, at }, outside: who.outside });
}

/** name → state (and change) of every handler as the person sees it. */
export async function states(who: Person): Promise<Record<string, string>> {
  const { handlers } = await trustView(who.home, who.project, who.outside);
  return Object.fromEntries(
    handlers.map(({ name, state, change, why }) => [name, [state, change, why].filter(Boolean).join(" ")]),
  );
}

export type Ran = { name: HandlerName; payload: Payload; recheck: boolean; code: string };

/** Dispatches one event. Each handler answers by a plain function of its code, so that what ran shows in the answer. */
export async function send(
  who: Person,
  request: Partial<Request> & { command?: string } = {},
  answer: (handler: Runnable, payload: Payload, recheck: boolean) => Answer | Promise<Answer> = defaultAnswer,
) {
  const ran: Ran[] = [];
  const engine: Engine = {
    ...{ home: who.home, outside: who.outside, secrets: [] },
    run:
      () =>
      async (handler, { payload, recheck }) => {
        ran.push({ name: handler.name, payload, recheck, code: codeOf(handler) });
        return { outcome: "answered", answer: await answer(handler, payload, recheck), ms: 1 };
      },
  };
  const { command = "ls", ...rest } = request;
  const decision = await dispatch(
    { payload: bash(who.root, command), host: "claude-code", canAsk: true, ...rest },
    engine,
  );
  return { decision, ran };
}

export function bash(cwd: string, command: string, more: Partial<Payload> = {}): Payload {
  return {
    ...{ hook_event_name: "PreToolUse", session_id: "s1", transcript_path: null, cwd },
    ...{ tool_name: "Bash", tool_input: { command }, ...more },
  };
}

function defaultAnswer(): Answer {
  return { answer: "continue" };
}

function codeOf(handler: Runnable): string {
  const file = handler.files.find(({ path }) => path === "guard.ts");
  return new TextDecoder().decode(file?.bytes);
}
