import { parseArgs } from "node:util";
import { nearest } from "@hookpkg/spec";
import { type Command, type Flag, type Flags, GLOBAL_FLAGS } from "./command.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { refuse } from "./faults.ts";

/** What the words after `hookpkg` ask for. No command: help or version. */
export type Asked = { command?: Command; args: readonly string[]; flags: Flags };

/** Parses the command line; E_USAGE names the flag that is wrong and the one that was meant. */
export function parseCommandLine(argv: readonly string[]): Asked {
  const words = leadingWords(argv);
  const found = findCommand(words);
  if (words.length > 0 && !found) {
    const meant = nearest(
      words[0] ?? "",
      COMMANDS.flatMap((one) => [one.name, ...(one.aliases ?? [])]),
    );
    throw refuse("E_COMMAND_UNKNOWN", { found: words[0] ?? "", ...(meant ? { meant } : {}) });
  }
  const flags = [...GLOBAL_FLAGS, { name: "version", help: "" }, ...(found?.command.flags ?? [])];
  const parsed = parseFlags(argv, flags);
  const args = parsed.positionals.slice(
    found ? found.command.name.split(" ").length - aliasWords(found.command, words) : 0,
  );
  if (found?.command.args === "" && args.length > 0 && parsed.values.help !== true)
    throw refuse("E_USAGE", { found: args.join(" ").slice(0, 200), expected: "no argument" });
  return { ...(found ? { command: found.command } : {}), args, flags: reader(parsed.values) };
}

/** Words before and between global flags: enough to find the command. */
export function leadingWords(argv: readonly string[]): string[] {
  const takesValue = new Set(GLOBAL_FLAGS.filter((flag) => flag.value).map((flag) => `--${flag.name}`));
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) words.push(word);
    else if (takesValue.has(word)) at++;
    else if (words.length > 0) break;
  }
  return words;
}

/** An alias of a two-word command would be one word; today all aliases are as long as their names. */
function aliasWords(command: Command, words: readonly string[]): number {
  const alias = command.aliases?.find((one) => words.join(" ").startsWith(one));
  return alias ? command.name.split(" ").length - alias.split(" ").length : 0;
}

function parseFlags(argv: readonly string[], flags: readonly Flag[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        flags.map((flag) => [
          flag.name,
          {
            type: flag.value ? ("string" as const) : ("boolean" as const),
            multiple: flag.many ?? false,
            ...(flag.short ? { short: flag.short } : {}),
          },
        ]),
      ),
    });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split(". ")[0] ?? "") : "";
    const wrong = message.match(/'(--?[^' ]+)/)?.[1] ?? "";
    const meant = nearest(
      wrong,
      flags.map((flag) => `--${flag.name}`),
    );
    throw refuse("E_USAGE", { found: message, ...(meant && meant !== wrong ? { meant } : {}) }, cause);
  }
}

function reader(values: Readonly<Record<string, unknown>>): Flags {
  const texts = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === "string");
  return { text: (name) => texts(name).at(-1), texts, on: (name) => values[name] === true };
}
