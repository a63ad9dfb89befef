import { EXIT } from "@hookpkg/spec";
import { type Command, type Flag, GLOBAL_FLAGS } from "./command.ts";
import { COMMANDS } from "./commands.ts";

const GROUPS = ["start", "project", "trust", "author", "registry", "host", "look"] as const;

/** What the exit codes mean, of every command but `run`, which ends as its host wants it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done; `try` and `explain` end so whatever was decided",
  failed: "failed, or what was looked at is not in order",
  waits: "done, and something waits for your approval",
  refused: "something is not what its signature, its log or its hash says",
  splitView: "the registry shows different people different logs",
  noSandbox: "no handler can run: there is no sandbox",
  usage: "the command line is not one that can be understood",
  interrupted: "interrupted",
};

/** The first page: every command by what it is for. */
export function overview(): string {
  const groups = GROUPS.map((group) => {
    const lines = COMMANDS.filter((command) => command.group === group).map(
      (command) => `  ${command.name.padEnd(16)} ${command.help}`,
    );
    return [`${group}`, ...lines].join("\n");
  });
  return [
    "hookpkg: signed, sandboxed, approved hooks for coding agents",
    "",
    "usage: hookpkg COMMAND [arguments] [flags]",
    "",
    groups.join("\n\n"),
    "",
    "flags of every command",
    ...flagLines(GLOBAL_FLAGS),
    "",
    "exit codes",
    ...exitLines(),
  ].join("\n");
}

function exitLines(): string[] {
  return Object.entries(EXIT).map(([name, code]) => {
    const meaning = EXIT_MEANINGS[name as keyof typeof EXIT].replaceAll("`", ""); // its own key
    return `  ${`${code}`.padEnd(16)} ${meaning}`;
  });
}

/** One command's page. */
export function commandHelp(command: Command): string {
  const own = command.flags.length > 0 ? ["", "flags", ...flagLines(command.flags)] : [];
  const also = command.aliases ? ["", `also: ${command.aliases.join(", ")}`] : [];
  return [
    `usage: hookpkg ${command.name} ${command.args}`.trimEnd(),
    "",
    command.help,
    ...also,
    ...own,
    "",
    "examples",
    ...command.examples.map((one) => `  ${one}`),
    "",
    "hookpkg --help lists the flags that every command takes",
  ].join("\n");
}

function flagLines(flags: readonly Flag[]): string[] {
  return flags.map((flag) => `  ${`--${flag.name}${flag.value ? ` ${flag.value}` : ""}`.padEnd(24)} ${flag.help}`);
}
