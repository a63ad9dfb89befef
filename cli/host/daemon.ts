import { homeFolders, ownProgram, serveDaemon, tellDaemon, WarmParts } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import manifest from "../package.json" with { type: "json" };
import { plainText } from "../terminal.ts";
import { adapterOf } from "./event.ts";
import { judgeEvent } from "./judge.ts";

/** The daemon itself, started by `run`: one engine's warm parts for all hosts of this home. */
export async function serve(call: Call): Promise<Done<Record<string, never>>> {
  const home = homeFolders(call.home);
  const parts = new WarmParts(home, process.execPath);
  await serveDaemon({
    ...{ home, build: ownBuild() },
    facts: () => ({ workers: parts.workers }),
    answer: ({ host, project, event, env, more, pid }) => {
      const from = { env, pid, spentMs: 0, ...(project === undefined ? {} : { project }) };
      return judgeEvent(adapterOf(host), event, { from, afterwards: parts.afterwards }, parts.engine({ env, more }));
    },
  });
  await parts.close();
  return { data: {}, lines: [] };
}

export async function status(call: Call): Promise<Done<CommandData["daemon status"]>> {
  const said = await tellDaemon(homeFolders(call.home), ownBuild(), "status");
  const facts = factsOf(said);
  if (facts === undefined) {
    const why = typeof said === "string" ? said : "silent";
    return { data: { running: false, why }, lines: [SENTENCES[why as keyof typeof SENTENCES] ?? SENTENCES.silent] };
  }
  const { pid, events, busy, workers, sinceMs } = facts;
  const minutes = Math.floor(sinceMs / 60_000);
  const line = `running as process ${pid} for ${minutes} min: ${events} events, ${busy} under way, ${workers} warm workers`;
  return { data: { running: true, pid, sinceMs, events, busy, workers }, lines: [line] };
}

/** Ends it when its calls are done; hosts' events are judged without one until the next starts it again. */
export async function stop(call: Call): Promise<Done<CommandData["daemon stop"]>> {
  const home = homeFolders(call.home);
  const first = await tellDaemon(home, ownBuild(), "stop");
  if (first === "absent") return { data: { stopped: false }, lines: [plainText(SENTENCES.absent)] };
  for (let n = 0; n < MAX_LOOKS; n++) {
    if ((await tellDaemon(home, ownBuild(), "status")) === "absent")
      return { data: { stopped: true }, lines: ["stopped"] };
    await Bun.sleep(LOOK_MS);
  }
  throw refuse("E_DAEMON_STAYS", { found: typeof first === "string" ? first : "" });
}

const LOOK_MS = 50;
const MAX_LOOKS = 240;

const SENTENCES = {
  absent: "not running: the next event of a host starts it",
  foreign: "another program answers in its place; hooks run without it",
  "other-build": "one of another version was running, and was told to stop",
  silent: "it does not answer; hooks run without it",
} as const satisfies Record<string, string>;

type Facts = { pid: number; sinceMs: number; events: number; busy: number; workers: number };

function factsOf(said: unknown): Facts | undefined {
  if (typeof said !== "object" || said === null || !("status" in said)) return undefined;
  return said.status as Facts; // our own build wrote it: the client has looked
}

function ownBuild(): string {
  return ownProgram(process.argv[1] ?? "", manifest.version).build;
}
