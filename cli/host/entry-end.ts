/** ENTRY_END of the hosts' entries, again: this is loaded before anything of the program is. A test holds them equal. */
export const ENTRY_END = 93;

/** How `run` ends: for an entry that `attach` wrote (`--entry`), 0 is told apart from every end that is not ours. */
export function endOf(exit: number, argv: readonly string[]): number {
  return exit === 0 && argv.includes("--entry") ? ENTRY_END : exit;
}
