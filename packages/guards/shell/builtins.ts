import type { Handle, Machine } from "./machine.ts";
import { given, has, optionsOf } from "./options.ts";
import { formatted } from "./output.ts";
import { absolute } from "./scene.ts";
import { printed, type State, withEntry, withVariable } from "./state.ts";
import { ANY } from "./unknown.ts";
import { home } from "./variable.ts";

const nothing: Handle = (_machine, _words, state) => [state];

/** Builtins that change what later commands mean. `exec`, `command`, `eval` and the like are with the wrappers and shells. */
export const builtins: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ["cd", changeFolder],
  ["pushd", changeFolder],
  ["popd", (machine, _words, state) => changeFolder(machine, ["cd", "-"], state)],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["read", readLine],
  ["mapfile", readLines],
  ["readarray", readLines],
  ["printf", print],
  ["set", setArgs],
  ["shift", shift],
  ["unset", unset],
  ["trap", trap],
  ["alias", alias],
  ["hash", hash],
  ["ln", link],
  ["cp", copy],
  ["getopts", (_machine, words, state) => [withVariable(state, words[2] ?? "_", ANY)]],
  ...[
    ":",
    "true",
    "false",
    "test",
    "[",
    "shopt",
    "exit",
    "return",
    "break",
    "continue",
    "wait",
    "type",
    "which",
    "let",
  ].map((name) => [name, nothing] as const),
]);

function changeFolder(machine: Machine, words: readonly string[], state: State): State[] {
  const { operands } = optionsOf(words.slice(1));
  const [target] = words.includes("-") ? ["-"] : operands;
  const path = target === "-" ? (state.oldCwd ?? ANY) : (target ?? home(machine.scene, state));
  // An empty name stays where it is.
  const cwd = path === "" ? state.cwd : absolute(machine.scene, state, path);
  const after = { ...state, cwd, oldCwd: state.cwd };
  return [target === "-" ? printed(after, `${cwd}\n`) : after];
}

/** Words only: what has the form of an assignment was assigned before. */
function declare(_machine: Machine, words: readonly string[], state: State): State[] {
  let after = state;
  for (const word of words.slice(1)) {
    const [name = "", ...value] = word.split("=");
    if (word.startsWith("-") || !/^\w+$/.test(name)) continue;
    if (value.length > 0) after = withVariable(after, name, value.join("="));
  }
  return [after];
}

function readLine(_machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "adinNptu" });
  const array = given(options, "-a");
  const delimiter = given(options, "-d");
  const names = array === undefined ? (options.operands.length > 0 ? options.operands : ["REPLY"]) : [array];
  const { stdin } = state;
  if (stdin === undefined || has(options, "u"))
    return [names.reduce((now, name) => withVariable(now, name, ANY), state)];
  const end = delimiter === undefined ? "\n" : delimiter === "" ? "\0" : delimiter;
  const at = stdin.indexOf(end);
  const line = at < 0 ? stdin : stdin.slice(0, at);
  const after = { ...state, stdin: at < 0 ? "" : stdin.slice(at + end.length) };
  const blanks = state.variables.get("IFS") ?? " \t\n";
  const fields = fieldsAt(line, typeof blanks === "string" ? blanks : " ");
  if (array !== undefined) return [withVariable(after, array, fields)];
  return [
    names.reduce<State>((now, name, index) => {
      const isLast = index === names.length - 1;
      const rest = names.length === 1 ? line.trim() : fields.slice(index).join(" ");
      return withVariable(now, name, isLast ? rest : (fields[index] ?? ""));
    }, after),
  ];
}

function fieldsAt(line: string, blanks: string): string[] {
  const fields: string[] = [""];
  for (const sign of line) {
    if (blanks.includes(sign)) fields.push("");
    else fields[fields.length - 1] += sign;
  }
  return blanks.trim() === "" ? fields.filter((field) => field !== "") : fields;
}

function readLines(_machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "dnOsuCc" });
  const name = options.operands[0] ?? "MAPFILE";
  if (state.stdin === undefined) return [withVariable(state, name, [ANY])];
  const lines = state.stdin.split(given(options, "-d") === "" ? "\0" : "\n");
  if (lines.at(-1) === "") lines.pop();
  return [withVariable({ ...state, stdin: "" }, name, lines)];
}

function print(_machine: Machine, words: readonly string[], state: State): State[] {
  const [, first, second] = words;
  if (first === "-v" && second !== undefined) return [withVariable(state, second, formatted(words.slice(3)))];
  return [printed(state, formatted(words.slice(first === "--" ? 2 : 1)))];
}

function setArgs(_machine: Machine, words: readonly string[], state: State): State[] {
  const args = words.slice(1);
  const start = args.findIndex((word) => !/^[-+]/.test(word));
  const dashes = args.indexOf("--");
  if (dashes >= 0 && (start < 0 || dashes < start)) return [{ ...state, args: args.slice(dashes + 1) }];
  return start < 0 || args[start - 1] === "-o" || args[start - 1] === "+o" || /^-\w*o$/.test(args[start - 1] ?? "")
    ? [state]
    : [{ ...state, args: args.slice(start) }];
}

function shift(_machine: Machine, words: readonly string[], state: State): State[] {
  return [{ ...state, args: state.args.slice(Number.parseInt(words[1] ?? "1", 10) || 1) }];
}

function unset(_machine: Machine, words: readonly string[], state: State): State[] {
  let after = state;
  for (const name of words.slice(1)) {
    if (after.functions.has(name)) {
      const functions = new Map(after.functions);
      functions.delete(name);
      after = { ...after, functions };
    }
    if (!name.startsWith("-")) after = withVariable(after, name, "");
  }
  return [after];
}

function trap(_machine: Machine, words: readonly string[], state: State): State[] {
  const { operands } = optionsOf(words.slice(1));
  const [text = ""] = operands;
  if (operands.length < 2 || text === "" || text === "-" || state.traps.includes(text)) return [state];
  return [{ ...state, traps: [...state.traps, text] }];
}

function alias(_machine: Machine, words: readonly string[], state: State): State[] {
  let { aliases } = state;
  for (const word of words.slice(1)) {
    const at = word.indexOf("=");
    if (at > 0) aliases = withEntry(aliases, word.slice(0, at), word.slice(at + 1));
  }
  return aliases === state.aliases ? [state] : [{ ...state, aliases }];
}

function hash(_machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "p" });
  const [path, name] = [given(options, "-p"), options.operands[0]];
  if (path === undefined || name === undefined) return [state];
  return [{ ...state, programs: withEntry(state.programs, name, path) }];
}

/** A link made here leads somewhere for every later path; without `-s` it is the file itself under another name. */
function link(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "tS", names: ["target-directory", "suffix"] });
  const [target, name] = options.operands;
  if (target === undefined || name === undefined) return [state];
  const path = absolute(machine.scene, state, name, "parents");
  return has(options, "s", "symbolic")
    ? [{ ...state, links: withEntry(state.links, path, target) }]
    : [{ ...state, programs: withEntry(state.programs, path, target) }];
}

/** A copied program is the program; a copied text is the text. */
function copy(machine: Machine, words: readonly string[], state: State): State[] {
  const { operands } = optionsOf(words.slice(1), { letters: "tS", names: ["target-directory", "suffix"] });
  const [source, name] = operands;
  if (source === undefined || name === undefined || operands.length > 2) return [state];
  const path = absolute(machine.scene, state, name);
  const text = state.files.get(absolute(machine.scene, state, source));
  if (text !== undefined) return [{ ...state, files: withEntry(state.files, path, text) }];
  return /^\/(usr\/)?s?bin\//.test(source)
    ? [{ ...state, programs: withEntry(state.programs, path, source) }]
    : [state];
}
