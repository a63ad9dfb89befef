import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { HOSTS } from "@hookpkg/hosts";
import { textOf } from "./hook-files.ts";

/** Where a host starts a hook, and what it puts in the place of its variables. */
export type Stage = { root: string; folder?: string; base: string; path: string };

/** A command's programs: which of them is missing, and the text of a script among its words. */
export type ProgramLook = { missing?: string; script: string };

const MAX_SCRIPT_CHARS = 256 * 1024;
const INTERPRETERS = /^(python[\d.]*|node|bun|deno|ruby|perl|bash|sh|zsh|uv|tsx|pwsh)$/;
const BUILTINS =
  /^([.:[]|cd|command|echo|env|eval|exec|exit|export|for|function|if|printf|read|set|source|test|true|false|type|umask|while|case|until|\{|\(|!)$/;

const PROJECT_VARIABLE = new RegExp(
  `\\$\\{?(?:${HOSTS.flatMap(({ projectVariable }) => projectVariable ?? []).join("|")})\\}?`,
  "g",
);

/** Looks at the first command of the text, as far as plain words tell; nothing is run. */
export function lookAtProgram(command: string, stage: Stage): ProgramLook {
  const words = wordsOf(command, stage);
  while (words[0] !== undefined && /^\w+=/.test(words[0])) words.shift();
  const [program, ...args] = words;
  if (program === undefined || program.includes("$") || BUILTINS.test(program)) return { script: "" };
  const name = program.split("/").at(-1) ?? program;
  const file = INTERPRETERS.test(name) ? args.find((arg) => !arg.startsWith("-")) : program;
  const isCode = args.some((arg) => /^-(c|e|lc|m|-eval)$/.test(arg));
  const script = file === undefined || isCode || file.includes("$") ? undefined : pathOf(file, stage);
  const isThere = program.includes("/") ? existsSync(pathOf(program, stage)) : Bun.which(program, { PATH: stage.path });
  if (!isThere) return { missing: program, script: "" };
  const isScript = INTERPRETERS.test(name) && script !== undefined && /[./]/.test(file ?? "");
  if (isScript && !existsSync(script)) return { missing: file ?? "", script: "" };
  const text = script === undefined || !script.includes("/") ? undefined : textOf(script);
  return { script: text === undefined || text.includes("\0") ? "" : text.slice(0, MAX_SCRIPT_CHARS) };
}

/** The words up to the first operator of the shell. */
function wordsOf(command: string, { root, folder, base }: Stage): string[] {
  const plain = command
    .replace(PROJECT_VARIABLE, root)
    .replace(/\$\{?(CLAUDE_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\}?/g, folder ?? "$PLUGIN_ROOT")
    .replace(/\$\{?HOME\}?|(?<=^|\s)~(?=\/)/g, base);
  const [first = ""] = plain.split(/[;&|<>\n]/);
  return [...first.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

function pathOf(file: string, { root }: Stage): string {
  return isAbsolute(file) ? file : join(root, file);
}
