/** What mends a fault, one line a code. A test holds that every declared code has its line. */
const ADVICE: Readonly<Record<string, string>> = {
  E_USAGE: "hookpkg COMMAND --help shows how it is called",
  E_COMMAND_UNKNOWN: "hookpkg --help lists the commands",
  E_NO_TERMINAL: "run it at a terminal, or give the flag that answers the question",
  E_INTERRUPTED: "run the command again when you are ready",
  E_INTERNAL: "this is a mistake in hookpkg: please report it with the command that you ran",
};

export function adviceFor(code: string): string | undefined {
  return ADVICE[code];
}
