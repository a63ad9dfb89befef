import type { Handler } from "./handler.ts";
import type { SourceFiles } from "./package.ts";
import { nearest, type Problem, problem } from "./problem.ts";

/**
 * Warnings about files that a command or service names and the package lacks, and about a program of its own that cannot be started.
 * `executable`: paths with the x bit, where the caller knows them.
 */
export function programProblems(
  { run }: Handler,
  files: SourceFiles,
  path: string,
  executable?: ReadonlySet<string>,
): Problem[] {
  if (run.type !== "command" && run.type !== "service") return [];
  const [program, ...others] = "argv" in run ? run.argv.map(ownFile) : shellFiles(run.shell);
  const missing = [program, ...others].filter((file) => file !== undefined && !isThere(file, files));
  const isInert = program !== undefined && files.has(program) && executable !== undefined && !executable.has(program);
  return [
    ...missing.map((file = "") => problem("W_PROGRAM_MISSING", path, file, nearest(file, [...files.keys()]))),
    ...(isInert ? [problem("W_PROGRAM_MODE", path, program, `chmod +x ${program}`)] : []),
  ];
}

const ROOT = /^\$\{PLUGIN_ROOT\}\/(.+)$/;

/** A word that is a file of the package: below its root, or a relative path with a folder in it as the program. */
function ownFile(word: string, at: number): string | undefined {
  const below = ROOT.exec(word)?.[1];
  if (below !== undefined) return plain(below);
  return at === 0 && /^[^/$-][^$]*\//.test(word) ? plain(word) : undefined;
}

/** The first is the program, undefined where the line begins with another one. */
function shellFiles(line: string): (string | undefined)[] {
  const found = [...line.matchAll(/\$\{?PLUGIN_ROOT\}?"?\/([A-Za-z0-9._/-]+)/g)].map(([, file = ""]) => plain(file));
  const program =
    /^"?\$\{?PLUGIN_ROOT\}?"?\/([A-Za-z0-9._/-]+)/.exec(line)?.[1] ?? /^(\.\/[A-Za-z0-9._/-]+)/.exec(line)?.[1];
  const first = program === undefined ? undefined : plain(program);
  return [first, ...found.filter((file) => file !== first)];
}

function plain(file: string): string {
  return file.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
}

function isThere(file: string, files: SourceFiles): boolean {
  return files.has(file) || [...files.keys()].some((path) => path.startsWith(`${file}/`));
}
