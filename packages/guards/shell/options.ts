import { ANY } from "./unknown.ts";

/** Which options of a program take a value. Letters for `-x value`, names for `--name value`. */
export type OptionSpec = { letters?: string; names?: readonly string[]; stopsAtOperand?: boolean };

export type Options = {
  /** As written: `-r`, `--rec`; a cluster is taken apart. */
  flags: ReadonlySet<string>;
  values: ReadonlyMap<string, readonly string[]>;
  operands: readonly string[];
};

/** Takes a command line apart as getopt does. */
export function optionsOf(args: readonly string[], spec: OptionSpec = {}): Options {
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  const give = (name: string, value: string) => {
    flags.add(name);
    values.set(name, [...(values.get(name) ?? []), value]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith("--")) {
      const [name = "", ...rest] = arg.split("=");
      if (rest.length > 0) give(name, rest.join("="));
      else if (spec.names?.includes(name.slice(2))) give(name, args[++at] ?? "");
      else flags.add(name);
    } else if (arg.length > 1 && arg.startsWith("-")) {
      at += cluster(arg.slice(1), args[at + 1], { spec, flags, give });
    } else {
      operands.push(arg);
      if (spec.stopsAtOperand !== true) continue;
      operands.push(...args.slice(at + 1));
      break;
    }
  }
  return { flags, values, operands };
}

type Given = { spec: OptionSpec; flags: Set<string>; give: (name: string, value: string) => void };

/** Gives how many of the words after it the cluster takes. */
function cluster(letters: string, next: string | undefined, { spec, flags, give }: Given): 0 | 1 {
  for (const [at, letter] of [...letters].entries()) {
    if (spec.letters?.includes(letter) !== true) {
      flags.add(`-${letter}`);
      continue;
    }
    const rest = [...letters].slice(at + 1).join("");
    give(`-${letter}`, rest === "" ? (next ?? "") : rest);
    return rest === "" ? 1 : 0;
  }
  return 0;
}

/** Whether a flag is given: by letter, or by its long name or an abbreviation. Letters not known may be any. */
export function has(options: Options, letters: string, ...names: readonly string[]): boolean {
  for (const flag of options.flags) {
    if (flag.startsWith("--")) {
      if (names.some((name) => flag.length > 2 && name.startsWith(flag.slice(2)))) return true;
    } else if (letters.includes(flag.slice(1)) || flag === `-${ANY}`) return true;
  }
  return false;
}

export function given(options: Options, ...names: readonly string[]): string | undefined {
  return names.flatMap((name) => options.values.get(name) ?? [])[0];
}
