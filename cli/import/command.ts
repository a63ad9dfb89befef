import { posix } from "node:path";
import type { HookSource } from "@hookpkg/hosts";
import { PLACEHOLDERS } from "@hookpkg/spec";
import type { Source } from "./source.ts";
import type { Tree } from "./tree.ts";

/**
 * A command in our words. `files`: those of the package that it names; `reads`: files of the machine; `project`: a file of the project; `why`:
 * it can't be carried over.
 */
export type Command = Put | { why: string };
type Put = { text: string; files: string[]; reads: string[]; project?: string; notes: string[] };

/** Folders that every command sees; its own one, which is empty; and those of the machine that no right opens. */
const SEEN = /^\/(usr|s?bin|lib(32|64)?|dev|proc)(\/|$)|^\/etc\/alternatives\//;
const OWN = /^\/tmp(\/|$)/;
const CLOSED = /^\/(sys|run|var\/run|plugin|data)(\/|$)/;
const WORD = "[\\w.@%+,:-]+(?:/[\\w.@%+,:-]+)*";
const START = `(^|[\\s"'=;|&(<>])`;
const IN_PLACE = new RegExp(`\\$\\{(PLUGIN_ROOT|PROJECT_DIR)\\}(["']?)/(${WORD})`, "g");
const IN_HOME = new RegExp(`${START}(~|\\$HOME|\\$\\{HOME\\})(["']?)/(${WORD})`, "g");
const PLAIN = new RegExp(`${START}(/|(?:\\.{1,2}/)+)?(${WORD})`, "g");
/** What stands before a word and says what the word is. */
const MAX_BEFORE_CHARS = 200;
const MAX_COMMAND_CHARS = 8192;
const INTERPRETER =
  /(?:^|[\s;|&(/])(?:python[\d.]*|node|(?:bun|deno|uv|uvx|poetry|pipenv)(?:\s+run)?|tsx|ts-node|ruby|perl|php|pwsh|(?:ba|da|z|k)?sh|source|\.)(?:\s+-[\w-]+(?:=\S+)?)*\s+$/;
/** What may stand before a program: values, and programs that start the one after them. */
const STARTED =
  /(^|[;|&(])\s*(?:(?:exec|time|nohup|command|nice|env|sudo|timeout(?:\s+-\S+)*\s+[\d.]+[smh]?|[A-Za-z_]\w*=\S*)\s+)*$/;

/** One command of a host's, as a shell line or as a word of an argv: its placeholders ours, its files those of the package. */
export function converted(command: string, source: Source, tree: Tree): Command {
  if (command.length > MAX_COMMAND_CHARS) return { why: `its command has more than ${MAX_COMMAND_CHARS} signs` };
  const put: Put = { text: ownPlaces(command, source.host), files: [], reads: [], notes: [] };
  const outside: string[] = [];
  const never: string[] = [];
  // A script runs from the package; another file of a project's is the project's, and stays there.
  const take = (path: string, before: string) => {
    const isOurs = source.files !== undefined || isProgram(before) || posix.normalize(path).startsWith(".");
    const file = isOurs ? tree.named(path) : undefined;
    if (file !== undefined) put.files.push(file);
    return file;
  };
  const elsewhere = (path: string, isStarted: boolean) => {
    if (CLOSED.test(path)) {
      if (isStarted) outside.push(path);
      else put.notes.push(`${path} is seen by no handler, whatever it asks for`);
    } else if (OWN.test(path) && !isStarted)
      put.notes.push(`${path} is of a /tmp that is empty at each call here: \${PLUGIN_DATA} keeps what it writes`);
    else put.reads.push(path);
  };
  const rewritten = (pattern: RegExp, one: (before: string, parts: string[]) => string | undefined) => {
    const { text } = put;
    put.text = text.replace(pattern, (whole: string, ...args: unknown[]) => {
      const parts = args.slice(0, -2).map((part) => (typeof part === "string" ? part : ""));
      const isUp = parts.some((part) => /(^|\/)\.\.(\/|$)/.test(part));
      if (isUp) outside.push(whole.trim().slice(0, 200));
      return (isUp ? undefined : one(text.slice(0, Number(args.at(-2))), parts)) ?? whole;
    });
  };
  rewritten(IN_PLACE, (before, [place, quote, path = ""]) => {
    const file = place === "PROJECT_DIR" && source.files !== undefined ? undefined : take(path, before);
    if (file === undefined && place === "PLUGIN_ROOT" && tree.isThere(path)) never.push(path);
    return file && `\${PLUGIN_ROOT}${quote}/${file}`;
  });
  rewritten(IN_HOME, (before, [start = "", home, quote, path = ""]) => {
    const file = source.files === undefined ? take(path, before + start) : undefined;
    if (file !== undefined) return `${start}\${PLUGIN_ROOT}${quote}/${file}`;
    if (isProgram(before + start)) outside.push(`${home}/${path}`);
    else put.notes.push(`${home}/${path} is seen by no command here: \${PLUGIN_DATA} keeps what it writes`);
    return undefined;
  });
  rewritten(PLAIN, (before, [start = "", lead = "", path = ""]) => {
    const full = `/${path}`;
    const isAbsolute = lead === "/";
    if (isAbsolute && !full.startsWith(`${source.root}/`)) {
      if (!SEEN.test(full) && isPath(full, before + start)) elsewhere(full, isProgram(before + start));
      return undefined;
    }
    if (!isAbsolute && !path.includes("/") && !/\.\w{1,5}$/.test(path)) return undefined;
    const below = isAbsolute ? full.slice(source.root.length + 1) : path;
    const file = take(below, before + start);
    if (file === undefined && tree.isThere(below)) {
      put.project = below;
      if (isProgram(before + start)) put.notes.push(`${below} stays the project's own: no part of what is approved`);
    }
    return file && `${start}\${PLUGIN_ROOT}/${file}`;
  });
  for (const path of put.reads)
    put.notes.push(`${path} lies outside: it is asked for, but no part of what is approved`);
  if (never.length > 0) return { why: `${never.join(", ")} is hidden or a paper, which no handler sees: move it` };
  return outside.length === 0 ? put : { why: `${outside.join(", ")} lies outside the folder: copy it there` };
}

/** A slash in a pattern or an address is no path: a path stands where a program or a word of its own does. */
function isPath(full: string, before: string): boolean {
  return isProgram(before) || (/[\s=]$/.test(before) && full.split("/").length > 2);
}

/** Whether what comes next is a program, or the script that one is given. */
function isProgram(before: string): boolean {
  const plain = before.slice(-MAX_BEFORE_CHARS).replace(/["']$/, "");
  return STARTED.test(plain) || INTERPRETER.test(plain);
}

/** How else a command says where the project is: by asking git, or as where it was started. */
const ROOT_OF_PROJECT =
  /(?:\$\(git rev-parse --show-toplevel(?: 2>\s?\/dev\/null)?(?: \|\| (?:pwd|echo \.))?\)|`git rev-parse --show-toplevel`|\$PWD|\$\{PWD\}|\$\(pwd\))(?=["']?\/)/g;

/** `${CLAUDE_PLUGIN_ROOT}`, `$PLUGIN_ROOT`, `${extensionPath}` …: each is `${PLUGIN_ROOT}` here. */
function ownPlaces(text: string, { places }: HookSource): string {
  const all = [
    ...Object.entries(places),
    ...PLACEHOLDERS.flatMap((name) => [[name, name] as const, [`CLAUDE_${name}`, name] as const]),
  ];
  const named = all.reduce((now, [theirs, ours]) => {
    const put = ours === "/" ? "/" : `\${${ours}}`;
    const braced = now.replaceAll(`\${${theirs}}`, () => put);
    if (!/^\w+$/.test(theirs)) return braced;
    // With a value for when it is not set, which it always is here.
    return braced.replace(
      new RegExp(`\\$\\{${theirs}:?[-?][^{}]{0,200}\\}|\\$${theirs}(?![A-Za-z0-9_])`, "g"),
      () => put,
    );
  }, text);
  return named.replace(ROOT_OF_PROJECT, () => "${PROJECT_DIR}");
}
