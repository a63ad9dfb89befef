import { unescaped } from "./escapes.ts";
import type { Machine } from "./machine.ts";
import { has, optionsOf } from "./options.ts";
import { fileText } from "./redirect.ts";
import { absolute } from "./scene.ts";
import type { State } from "./state.ts";
import { ANY, BELOW, isKnown, SCRAMBLED, STAR, withoutEnd } from "./unknown.ts";

type Print = (print: { machine: Machine; args: readonly string[]; state: State; input: string }) => string;

/** What a program prints, as far as it can be told without running it. */
export function outputOf(machine: Machine, words: readonly string[], state: State): string {
  const [name = "", ...args] = words;
  const print = prints.get(name);
  const input = state.stdin ?? "";
  if (print !== undefined) return print({ machine, args, state, input });
  if (silent.has(name)) return "";
  return input !== "" && !input.includes(ANY) ? SCRAMBLED : ANY;
}

const silent = new Set("rm mkdir touch cp mv ln chmod chown rmdir unlink kill sleep install mkfifo exit".split(" "));

const prints: ReadonlyMap<string, Print> = new Map<string, Print>([
  ["echo", ({ args }) => echoed(args)],
  ["cat", ({ machine, args, state, input }) => files(machine, args, state) ?? input],
  ["tac", ({ machine, args, state, input }) => files(machine, args, state) ?? input],
  ["pwd", ({ state }) => `${state.cwd}\n`],
  ["basename", ({ args }) => `${baseName(args)}\n`],
  ["dirname", ({ args }) => `${folderOf(args.find((arg) => !arg.startsWith("-")) ?? "")}\n`],
  ["realpath", resolved],
  ["readlink", resolved],
  ["mktemp", () => `/tmp/${STAR}\n`],
  ["ls", listed],
  ["rev", ({ input }) => [...input.trimEnd()].reverse().join("")],
  ["base64", ({ machine, args, state, input }) => decoded(args, files(machine, args, state) ?? input)],
  ["openssl", ({ args, input }) => (args.some((arg) => /base64|enc/.test(arg)) ? decoded(args, input) : ANY)],
  ["xxd", ({ args, input }) => (has(optionsOf(args), "r", "revert") ? hexText(input) : ANY)],
  ["tr", ({ args, input }) => translated(args, input)],
  ["seq", () => `${STAR}\n`],
  ...["sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "nl", "tee", "sponge", "column", "shuf", "pv"].map(
    (name): [string, Print] => [name, ({ input }) => (input === "" ? ANY : input)],
  ),
  ...["date", "whoami", "id", "uname", "hostname", "nproc", "arch", "wc", "stat", "uuidgen"].map(
    (name): [string, Print] => [name, () => `${STAR}\n`],
  ),
  ...["sha256sum", "md5sum", "sha1sum", "cksum"].map((name): [string, Print] => [name, () => `${STAR}\n`]),
]);

function echoed(args: readonly string[]): string {
  const start = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const flags = (start < 0 ? args : args.slice(0, start)).join("");
  const text = (start < 0 ? [] : args.slice(start)).join(" ");
  const said = flags.includes("e") ? unescaped(text) : text;
  return flags.includes("n") ? said : `${said}\n`;
}

/** `printf FORMAT ARGS…`; the format is used again while there are arguments. */
export function formatted([format = "", ...args]: readonly string[]): string {
  const rest = [...args];
  let text = "";
  do {
    text += unescaped(format).replace(/%(?:%|[-+ #0]{0,8}\d{0,8}(?:\.\d{1,8})?([a-zA-Z]))/g, (whole, kind?: string) => {
      if (kind === undefined) return whole === "%%" ? "%" : whole;
      const value = rest.shift() ?? "";
      return kind === "b" ? unescaped(value) : value;
    });
  } while (rest.length > 0 && /%[^%]/.test(format) && text.length < 65_536);
  return text;
}

/** The text of the files that are named; undefined where none is. */
function files(machine: Machine, args: readonly string[], state: State): string | undefined {
  const { operands } = optionsOf(args);
  const named = operands.filter((name) => name !== "-");
  return named.length === 0 ? undefined : named.map((name) => fileText(machine, state, name)).join("");
}

function baseName(args: readonly string[]): string {
  const { operands } = optionsOf(args, { letters: "s" });
  const [path = "", suffix = ""] = operands;
  const name = withoutEnd(path, "/").split("/").pop() ?? "";
  return suffix !== "" && name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name;
}

function folderOf(path: string): string {
  const at = withoutEnd(path, "/").lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
}

function resolved({ machine, args, state }: Parameters<Print>[0]): string {
  const { operands } = optionsOf(args);
  return operands.map((path) => `${absolute(machine.scene, state, path)}\n`).join("");
}

function listed({ args }: Parameters<Print>[0]): string {
  const options = optionsOf(args, { letters: "IwT" });
  if (has(options, "d", "directory")) return options.operands.map((name) => `${name}\n`).join("") || ".\n";
  const hasPaths = options.operands.some((name) => name.includes(STAR));
  return hasPaths ? options.operands.map((name) => `${name}\n`).join("") : `${STAR}\n`;
}

function decoded(args: readonly string[], input: string): string {
  if (!args.some((arg) => /^-\w*[dD]\w*$|^--d/.test(arg))) return input === "" ? ANY : SCRAMBLED;
  return isKnown(input) ? Buffer.from(input, "base64").toString("utf8") : input;
}

function hexText(input: string): string {
  return isKnown(input) ? Buffer.from(input.replace(/[^0-9a-fA-F]/g, ""), "hex").toString("utf8") : input;
}

function translated(args: readonly string[], input: string): string {
  const options = optionsOf(args);
  const [from = "", to = ""] = options.operands.map((set) => ranges(unescaped(set)));
  if (has(options, "cCs", "complement")) return isKnown(input) && input !== "" ? SCRAMBLED : ANY;
  if (has(options, "d", "delete")) return [...input].filter((sign) => !from.includes(sign)).join("");
  return [...input]
    .map((sign) => (from.includes(sign) ? (to[from.indexOf(sign)] ?? to.at(-1) ?? sign) : sign))
    .join("");
}

/** `a-z` as its 26 letters; classes as the letters they stand for. */
function ranges(set: string): string {
  const spelled = set.replace("[:upper:]", "A-Z").replace("[:lower:]", "a-z").replace("[:digit:]", "0-9");
  return spelled.replace(/(.)-(.)/gs, (_whole, from: string, to: string) => {
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.max(0, Math.min(last - first + 1, 256)) }, (_, n) =>
      String.fromCharCode(first + n),
    ).join("");
  });
}

/** What a search below a folder finds. */
export function foundBelow(folder: string, name: string | undefined): string {
  const base = withoutEnd(folder, "/");
  return `${base}/${BELOW}${name === undefined ? "" : `/${name}`}`;
}
