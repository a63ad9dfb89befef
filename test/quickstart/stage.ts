import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { discardFolder } from "@hookpkg/archive";

export const ROOT = resolve(import.meta.dir, "../..");
/** Starts hookpkg without reading anything of the folder it is started in. */
const FROM_SOURCE = [
  process.execPath,
  "--config=/dev/null",
  "--no-env-file",
  "--no-install",
  join(ROOT, "cli/main.ts"),
];

/** A host is a process of its own, and an approval below it is refused: so each event has one, which ends as hookpkg ends. */
const HOST = `const { exitCode } = Bun.spawnSync(process.argv.slice(1), { stdio: ["inherit", "inherit", "inherit"] }); process.exit(exitCode);`;

export type Ran = { exit: number; stdout: string; stderr: string };

/** A home and a project that are gone afterwards, and the real program to run in them. */
export type Stage = {
  home: string;
  project: string;
  folder: string;
  /** Runs `hookpkg ARGUMENTS` in the project as its own process and shows the command and what it prints. */
  hookpkg(
    words: readonly string[],
    options?: { stdin?: string; quiet?: boolean; env?: Record<string, string> },
  ): Promise<Ran>;
  /** Starts a command that stays, and gives its first line. */
  serve(words: readonly string[]): Promise<{ firstLine: string; stop(): Promise<void> }>;
  close(): Promise<void>;
};

/** `program`: the compiled binary to use instead of the sources. */
export function openStage(program?: string): Stage {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-quickstart-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, project]) mkdirSync(made);
  const command = program === undefined ? FROM_SOURCE : [program];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" };
  const servers: (() => Promise<void>)[] = [];
  return {
    home,
    project,
    folder,
    hookpkg: async (words, options = {}) => {
      if (!options.quiet) say(`$ hookpkg ${words.map(shown).join(" ")}`);
      const started = [...command, "--home", home, ...words];
      const child = Bun.spawn(words[0] === "run" ? [process.execPath, "-e", HOST, ...started] : started, {
        cwd: project,
        env: { ...env, ...options.env },
        stdin: new Blob([options.stdin ?? ""]),
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      if (!options.quiet) for (const line of `${stdout}${stderr}`.split("\n").filter(Boolean)) say(`  ${line}`);
      return { exit, stdout, stderr };
    },
    serve: async (words) => {
      say(`$ hookpkg ${words.map(shown).join(" ")} &`);
      const child = Bun.spawn([...command, "--home", home, ...words], {
        cwd: project,
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "inherit",
      });
      const stop = async () => {
        child.kill("SIGTERM");
        await child.exited;
      };
      servers.push(stop);
      return { firstLine: await firstLine(child.stdout), stop };
    },
    close: async () => {
      for (const stop of servers) await stop();
      discardFolder(folder);
    },
  };
}

/** A real captured event of a host. Only the fields in `changes` and the cwd are replaced; a tool call gets a fresh id. */
export function capture(
  host: "codex" | "claude",
  event: string,
  stage: Stage,
  changes: Record<string, unknown> = {},
): string {
  const text = readFileSync(join(ROOT, "fixtures/captures", host, `${event}.json`), "utf8");
  const captured: Record<string, unknown> = JSON.parse(text);
  const input = typeof captured.tool_input === "object" ? { tool_input: { ...captured.tool_input, ...changes } } : {};
  const call = "tool_use_id" in captured ? { tool_use_id: `call_${crypto.randomUUID()}` } : {};
  return JSON.stringify({ ...captured, cwd: stage.project, ...input, ...call });
}

export function say(line: string): void {
  console.log(line);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const reader = stream.getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  // Read on, or the server would wait for a reader.
  void (async () => {
    while (!(await reader.read()).done);
  })();
  return text.split("\n")[0] ?? "";
}

function shown(word: string): string {
  return /^[\w@./:=-]+$/.test(word) ? word : `'${word}'`;
}
