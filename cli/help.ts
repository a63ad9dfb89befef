import { type Command, type Flag, GLOBAL_FLAGS } from "./command.ts";
import { COMMANDS } from "./commands.ts";

const GROUPS = ["start", "project", "trust", "author", "registry", "host", "look"] as const;

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
  ].join("\n");
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
