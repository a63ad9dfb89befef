import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { endWithout, judgeHere } from "./here.ts";
import { readStdin } from "./stdin.ts";

/**
 * One event of a host: its bytes in, its reply out, judged by this process. The daemon was asked before (`from-daemon.ts`), when there
 * was one; nothing here depends on it.
 */
export async function run(call: Call): Promise<Done<CommandData["run"]>> {
  const [host, ...more] = call.args;
  if (more.length > 0 || host === undefined)
    throw refuse("E_USAGE", { found: more[0]?.slice(0, 200) ?? "", expected: "one host" });
  let input: Uint8Array = new Uint8Array();
  answerAnyError(call, host, () => input);
  input = call.stdin ?? (await readStdin());
  const { reply, after } = await judgeHere(call, host, input);
  return { data: reply, lines: [], reply, ...(after === undefined ? {} : { after }) };
}

/** An error that nobody waits for would end the program with 1 and a stack, which every host takes for a yes. */
function answerAnyError(call: Call, host: string, input: () => Uint8Array): void {
  const end = (error: unknown) => endWithout(call, host, input(), error);
  process.once("uncaughtException", end);
  process.once("unhandledRejection", end);
}
