import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The compiled program with a home of its own. Its daemon leaves when the home does. */
export type Stage = { base: string; program: string; home: string; close(): Promise<void> };

export async function openStage(): Promise<Stage> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-bench-")));
  const program = join(base, "bin", "hookpkg");
  await must([process.execPath, join(import.meta.dir, "..", "cli", "build.ts"), program], base);
  const stage = { base, program, home: join(base, "home") };
  await hookpkg(stage, base, "keygen", "--automation", join(base, "key"), "--no-passphrase");
  const close = async () => {
    await hookpkg(stage, base, "daemon", "stop");
    rmSync(base, { recursive: true, force: true });
  };
  return { ...stage, close };
}

type Handler = Readonly<Record<string, unknown>>;

/** A project whose packages are all approved; each has one closed guard of this handler. */
export async function project(
  stage: Stage,
  name: string,
  packages: number,
  handler: Handler,
  code: string,
): Promise<string> {
  const root = join(stage.base, name);
  mkdirSync(root);
  await hookpkg(stage, root, "init");
  for (let n = 0; n < packages; n++) {
    writePackage(join(root, `guard-${n}`), n, handler, code);
    await hookpkg(stage, root, "install", `./guard-${n}`);
  }
  for (const identity of await waiting(stage, root))
    await hookpkg(stage, root, "approve", "--identity", identity, "--key", join(stage.base, "key"));
  return root;
}

/** An event of about a kilobyte. */
export function eventIn(root: string, tool_name = "Bash") {
  const tool_input = tool_name === "Bash" ? { command: "ls ".padEnd(800, "x") } : { file_path: join(root, "a") };
  const common = { session_id: `bench ${root}`, transcript_path: null, cwd: root }; // a session stays in the chains of every project it was in
  return { hook_event_name: "PreToolUse" as const, ...common, tool_name, tool_input };
}

function writePackage(folder: string, n: number, handler: Handler, code: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  const manifest = { name: `@bench/guard-${n}`, version: "1.0.0", description: "for the bench", license: "MIT" };
  const hook = { id: "guard", failMode: "closed", may: ["cancel"], ...handler };
  write("hookpkg.json", JSON.stringify(manifest));
  write("hooks/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } }));
  write("guard.ts", `// ${n}\n${code}`);
}

async function waiting(stage: Stage, root: string): Promise<string[]> {
  const out = await hookpkg(stage, root, "approve", "--list", "--json");
  return [...new Set(out.match(/hk1:[A-Za-z0-9_-]+/g) ?? [])];
}

async function hookpkg({ program, home }: Pick<Stage, "program" | "home">, cwd: string, ...words: string[]) {
  return must([program, ...words, "--home", home], cwd, [0, 3]);
}

async function must(command: string[], cwd: string, codes: readonly number[] = [0]): Promise<string> {
  const ran = Bun.spawn(command, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const [code, out, err] = await Promise.all([ran.exited, ran.stdout.text(), ran.stderr.text()]);
  if (!codes.includes(code)) throw new Error(`${command.join(" ")}: exit ${code}: ${out}${err}`);
  return out;
}
