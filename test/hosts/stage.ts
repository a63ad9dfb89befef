import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A project, a home and a folder in which hooks leave what they were given. */
export type Stage = Disposable & {
  project: string;
  home: string;
  /** Writes hooks into a settings file of the project in the format that all four hosts share: event → command. */
  writeHooks: (file: string, hooks: Record<string, string>) => void;
  /** A hook command that keeps its stdin and prints the answer, if there is one. */
  hook: (event: string, answer?: unknown) => string;
  /** What the hooks of this event were given, in order. */
  captured: (event: string) => unknown[];
};

export function openStage(): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-hosts-")));
  const [project, home, log] = ["project", "home", "log"].map((name) => join(folder, name)) as [string, string, string];
  for (const one of [project, home, log]) mkdirSync(one);
  const inputs = (event: string) => join(log, `${event}.jsonl`);
  return {
    project,
    home,
    writeHooks: (file, hooks) => write(join(project, file), JSON.stringify(settings(hooks), null, 2)),
    hook: (event, answer) => {
      const output = join(log, `${event}.answer.json`);
      writeFileSync(output, answer === undefined ? "" : JSON.stringify(answer));
      return `{ cat; echo; } >> '${inputs(event)}'; cat '${output}'`;
    },
    captured: (event) => linesOf(inputs(event)).map((line): unknown => JSON.parse(line)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Without a matcher: for every tool. */
function settings(hooks: Record<string, string>) {
  const groups = Object.entries(hooks).map(([event, command]) => [event, [{ hooks: [{ type: "command", command }] }]]);
  return { hooks: Object.fromEntries(groups) };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
