/**
 * From here to the end of the program the terminal shows nothing of what is typed: a prompt shows it itself, and what is typed ahead of one,
 * or while a passphrase is checked, may be a passphrase. Ctrl-C works as ever; the echo is back when the program ends.
 */
export function stopEcho(): void {
  if (isOff || !stty("-echo")) return;
  isOff = true;
  process.once("exit", () => stty("echo"));
  for (const [signal, code] of ENDS) process.once(signal, () => process.exit(code));
}

let isOff = false;

const ENDS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

const STTY = ["/usr/bin/stty", "/bin/stty"] as const;

/** False where there is no stty; then the prompt hides what is typed into it, as without this. */
function stty(word: "echo" | "-echo"): boolean {
  return STTY.some((program) => {
    try {
      return Bun.spawnSync([program, word], { stdin: "inherit", stdout: "ignore", stderr: "ignore", env: {} }).success;
    } catch {
      return false;
    }
  });
}
