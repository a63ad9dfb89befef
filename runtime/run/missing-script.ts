import { PLUGIN_ROOT } from "../sandbox/profile.ts";
import type { RunnableHandler } from "./runnable.ts";

const INTERPRETER = /(^|\/)(python[\d.]*|node|bun|deno|perl|ruby|php|(ba|da|z|k)?sh)$/;
const PLAIN = /^[\w./@%+,:-]+$/;

/**
 * The script that a command would begin with and that its package does not have. Interpreters end with 2 for that, which every host takes
 * for a veto; nobody can put the file there, because the package is read-only where it runs.
 */
export function missingScript(words: readonly string[], { files }: RunnableHandler): string | undefined {
  const [program = "", script = ""] = words[0] === "/bin/sh" && words[1] === "-c" ? shellWords(words[2] ?? "") : words;
  const named = [program, ...(INTERPRETER.test(program) ? [script] : [])];
  const paths = named.flatMap((word) =>
    word.startsWith(`${PLUGIN_ROOT}/`) ? [word.slice(PLUGIN_ROOT.length + 1)] : [],
  );
  return paths.find(
    (path) =>
      PLAIN.test(path) && !path.includes("..") && !files.some((file) => file.path === path.replace(/^\.\//, "")),
  );
}

function shellWords(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}
