import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { discardFolder } from "../packages/archive/index.ts";
import { generateKey, type PrivateKey } from "../packages/signing/index.ts";
import {
  addApprover,
  approve,
  approvedSet,
  type Engine,
  gate,
  type Home,
  homeFolders,
  keepSandbox,
  openEngine,
  type Prewarm,
  type Project,
  projectAt,
  REAL_OUTSIDE,
  trustView,
  Workers,
} from "../runtime/index.ts";

/** A home of its own with one engine that stays, as the daemon's does, and a key that approves. */
export type Stage = {
  base: string;
  home: Home;
  engine: Engine;
  key: PrivateKey;
  close(): Promise<void>;
};

const MAIN = join(import.meta.dir, "..", "cli", "main.ts");
/** The program as hosts start it from a checkout; `program` in process.ts is the compiled one. */
export const HOOKPKG = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install", MAIN];

export async function openStage(): Promise<Stage> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-bench-")));
  const home = homeFolders(join(base, "home"));
  const key = await generateKey();
  await addApprover(home, { public: key.public, kind: "person" });
  const workers = new Workers();
  const close = async () => {
    await workers.close();
    await must([...HOOKPKG, "daemon", "stop", "--home", join(base, "home")], base);
    discardFolder(base); // its store is sealed
  };
  return { base, home, key, close, engine: engineOf(home, { workers }) };
}

/** An engine as the daemon has one. */
export function engineOf(home: Home, parts: { workers: Workers; prewarm?: Prewarm }): Engine {
  return openEngine({
    home,
    env: {},
    worker: process.execPath,
    sandbox: keepSandbox(home, process.execPath),
    ...parts,
  });
}

export type Handler = Readonly<Record<string, unknown>>;
const GUARD = `export default (event: { tool_input: { command?: string } }) =>
  event.tool_input.command?.includes("rm -rf") ? { answer: "cancel", reason: "no" } : undefined;\n`;
const MODULE = { type: "module", module: "./guard.ts" };
export const COMMAND = { type: "command", command: "cat >/dev/null" };

/** A project with so many packages of so many closed guards each, all approved. */
export async function project(
  { base, home, key }: Stage,
  name: string,
  { packages = 1, handlers = 1, handler = MODULE }: { packages?: number; handlers?: number; handler?: Handler } = {},
): Promise<string> {
  const root = join(base, name);
  mkdirSync(root);
  const folders = Array.from({ length: packages }, (_, n) => `guard-${n}`);
  for (const [n, folder] of folders.entries()) writePackage(join(root, folder), n, { handlers, handler });
  const flags = ["--home", join(base, "home")];
  await must([...HOOKPKG, "init", ...flags], root);
  await must([...HOOKPKG, "install", ...folders.map((folder) => `./${folder}`), ...flags], root, [0, 3]);
  const at = placeOf(home, root);
  const { handlers: views } = await trustView(home, at, REAL_OUTSIDE);
  const wanted = views.flatMap(({ proposed }) =>
    proposed?.readable
      ? [
          {
            ...{ handler: proposed.name, identity: proposed.identity, options: proposed.options.digest },
            decided: "approved" as const,
          },
        ]
      : [],
  );
  const note = { how: "terminal", by: "bench", at: new Date().toISOString() } as const;
  await approve(home, at, wanted, { signer: key, note, outside: REAL_OUTSIDE });
  return root;
}

function placeOf(home: Home, root: string): Project {
  const found = projectAt(home, root);
  if (found === undefined) throw new Error(`no project at ${root}`);
  return found;
}

/** One handler's own run, without the stations around it. */
export async function runOf({ home, engine }: Stage, root: string): Promise<() => Promise<unknown>> {
  const place = placeOf(home, root);
  const [runnable] = await gate(home, (await approvedSet(home, [place], REAL_OUTSIDE)).handlers);
  if (runnable?.kind !== "runnable") throw new Error(JSON.stringify(runnable));
  const run = engine.run(requestIn(root), place);
  return async () => {
    const { outcome, ...rest } = await run(runnable, { payload: eventIn(root), recheck: false, timeoutMs: 10_000 });
    if (outcome !== "answered") throw new Error(JSON.stringify({ outcome, ...rest }));
  };
}

/** A tool call of about a kilobyte, or of another size. */
export function eventIn(root: string, { tool = "Bash", bytes = 1000, session = root } = {}) {
  const tool_input = tool === "Bash" ? { command: "ls ".padEnd(bytes - 200, "x") } : { file_path: join(root, "a") };
  const common = { session_id: `bench ${session}`, transcript_path: null, cwd: root }; // a session stays in the chains of every project it was in
  return { hook_event_name: "PreToolUse" as const, ...common, tool_name: tool, tool_input };
}

export function requestIn(root: string, about: Parameters<typeof eventIn>[1] = {}) {
  return { payload: eventIn(root, about), host: "native", canAsk: true, stays: true };
}

function writePackage(folder: string, n: number, { handlers, handler }: { handlers: number; handler: Handler }): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  const manifest = { name: `@bench/guard-${n}`, version: "1.0.0", description: "for the bench", license: "MIT" };
  const hooks = Array.from({ length: handlers }, (_, id) => ({
    ...{ id: `guard-${id}`, failMode: "closed", may: ["cancel"] },
    ...handler,
  }));
  write("hookpkg.json", JSON.stringify(manifest));
  write("hooks/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } }));
  write("guard.ts", `// ${n}\n${GUARD}`);
}

export async function must(command: string[], cwd: string, codes: readonly number[] = [0]): Promise<string> {
  const ran = Bun.spawn(command, {
    ...{ cwd, stdio: ["ignore", "pipe", "pipe"], env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: cwd } },
  });
  const [code, out, err] = await Promise.all([ran.exited, ran.stdout.text(), ran.stderr.text()]);
  if (!codes.includes(code)) throw new Error(`${command.join(" ")}: exit ${code}: ${out}${err}`);
  return out;
}
