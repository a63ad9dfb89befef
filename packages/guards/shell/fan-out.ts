import { findRuns } from "./find.ts";
import type { Handle, Machine } from "./machine.ts";
import { given, has, optionsOf } from "./options.ts";
import { foundBelow } from "./output.ts";
import { fileText } from "./redirect.ts";
import { afterSubshell, type State } from "./state.ts";
import { ANY } from "./unknown.ts";

/** Programs that run a command for things they are given or find. */
export const fanOut: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ["xargs", xargs],
  ["parallel", parallel],
  ["find", findRuns],
  ["gfind", findRuns],
  ["fd", fd],
  ["fdfind", fd],
]);

const MAX_ITEMS = 64;

function xargs(machine: Machine, words: readonly string[], state: State): State[] {
  const spec = {
    letters: "adEILnPs",
    names: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "replace", "process-slot-var"],
    stopsAtOperand: true,
  };
  const options = optionsOf(words.slice(1), spec);
  const file = given(options, "-a", "--arg-file");
  const input = file === undefined ? (state.stdin ?? ANY) : fileText(machine, state, file);
  const mark = given(options, "-I", "--replace") ?? (has(options, "i") ? "{}" : undefined);
  const isWhole = has(options, "0", "null") || options.flags.has("-d") || options.flags.has("--delimiter");
  const items = itemsOf(input, isWhole ? "nul" : mark === undefined ? "blank" : "line");
  const command = options.operands.length > 0 ? options.operands : ["echo"];
  const inner = { ...state, stdin: "" };
  const calls =
    mark === undefined
      ? [[...command, ...items]]
      : items.map((item) => command.map((word) => word.replaceAll(mark, item)));
  return calls
    .flatMap((call) => machine.call(call, inner, "plain"))
    .map((one) => ({ ...afterSubshell(state, one), stdin: "" }));
}

function itemsOf(input: string, by: "nul" | "line" | "blank"): string[] {
  const items =
    by === "blank"
      ? [...input.matchAll(/(?:[^\s"'\\]|\\[\s\S]|"[^"]*"|'[^']*')+/g)].map(([item]) =>
          item.replace(/\\([\s\S])|["']/g, "$1"),
        )
      : input.split(by === "nul" ? /[\0\n]/ : "\n").map((line) => (by === "line" ? line.trim() : line));
  const some = items.filter((item) => item !== "");
  return some.length > MAX_ITEMS ? [...some.slice(0, MAX_ITEMS), ANY] : some;
}

function parallel(machine: Machine, words: readonly string[], state: State): State[] {
  const args = words.slice(1);
  const at = args.findIndex((arg) => /^:::\+?$/.test(arg));
  const options = optionsOf(at < 0 ? args : args.slice(0, at), {
    letters: "jaNnISC",
    names: ["jobs", "arg-file", "joblog", "colsep"],
    stopsAtOperand: true,
  });
  const file = given(options, "-a", "--arg-file");
  const input = file === undefined ? (state.stdin ?? ANY) : fileText(machine, state, file);
  const items = at < 0 ? itemsOf(input, "line") : args.slice(at + 1).filter((arg) => !arg.startsWith(":::"));
  // It joins its words and gives each line to a shell.
  const template = options.operands.join(" ");
  return items
    .flatMap((item) => {
      const isPlaced = /\{[./#%]*\}/.test(template);
      const line =
        template === "" ? item : isPlaced ? template.replace(/\{[./#%]*\}/g, () => item) : `${template} ${item}`;
      return line.replaceAll(ANY, "").trim() === "" ? [state] : machine.text(line, { ...state, stdin: "" });
    })
    .map((one) => afterSubshell(state, one));
}

function fd(machine: Machine, words: readonly string[], state: State): State[] {
  const args = words.slice(1);
  const at = args.findIndex((arg) => ["-x", "-X", "--exec", "--exec-batch"].includes(arg));
  if (at < 0) return [state];
  const { operands } = optionsOf(args.slice(0, at), {
    letters: "eEtdScoj",
    names: ["extension", "exclude", "type", "max-depth"],
  });
  const folders = operands.length > 1 ? operands.slice(1) : ["."];
  return folders
    .map((folder) => foundBelow(folder, undefined))
    .flatMap((path) => {
      const command = args.slice(at + 1);
      const isPlaced = command.some((word) => word.includes("{"));
      return machine.call(
        isPlaced ? command.map((word) => word.replace(/\{[./]*\}/g, () => path)) : [...command, path],
        state,
        "plain",
      );
    })
    .map((one) => afterSubshell(state, one));
}
