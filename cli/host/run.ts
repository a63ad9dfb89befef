import type { HostReply } from "@hookpkg/hosts";
import { askDaemon, homeFolders, ownProgram, startDaemon } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import manifest from "../package.json" with { type: "json" };
import { readStdin } from "./stdin.ts";

/**
 * One event of a host: its bytes in, its reply out. The daemon is asked when there is one; without it, and whenever anything about it is
 * not as it should be, the event is judged here. Hosts start this on every event, so what judges is loaded only then.
 */
export async function run(call: Call): Promise<Done<CommandData["run"]>> {
  const [host, ...more] = call.args;
  if (more.length > 0 || host === undefined)
    throw refuse("E_USAGE", { found: more[0]?.slice(0, 200) ?? "", expected: "one host" });
  let input: Uint8Array = new Uint8Array();
  answerAnyError(call, host, () => input);
  input = await readStdin();
  const reply = (await fromDaemon(call, host, input)) ?? (await (await here()).judgeHere(call, host, input));
  return { data: reply, lines: [], reply };
}

const here = () => import("./here.ts");

/** undefined: there is none that can be trusted and asked. Where there was none, the next event will find one. */
async function fromDaemon(call: Call, host: string, event: Uint8Array): Promise<HostReply | undefined> {
  try {
    const home = homeFolders(call.home);
    const { words, build } = ownProgram(process.argv[1] ?? "", manifest.version);
    const said = await askDaemon(home, build, { host, event, project: call.project, env: call.env });
    if (typeof said !== "string") return said;
    if (said === "absent" || said === "other-build")
      startDaemon(home, [...words, "daemon", "serve", ...(call.home === undefined ? [] : ["--home", call.home])]);
    return undefined;
  } catch {
    return undefined;
  }
}

/** An error that nobody waits for would end the program with 1 and a stack, which every host takes for a yes. */
function answerAnyError(call: Call, host: string, input: () => Uint8Array): void {
  const end = async (error: unknown) => (await here()).endWithout(call, host, input(), error);
  process.once("uncaughtException", end);
  process.once("unhandledRejection", end);
}
