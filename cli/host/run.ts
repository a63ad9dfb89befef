import type { HostAdapter, HostEvent, HostReply } from "@hookpkg/hosts";
import { dispatch, homeFolders, openEngine, type Request } from "@hookpkg/runtime";
import type { CommandData, EventName, Payload } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { writeAll } from "../terminal.ts";
import { adapterOf, readStdin } from "./event.ts";
import { startedBy } from "./started-by.ts";
import { replyWithoutEngine, type Stuck } from "./without-engine.ts";

/** One event of a host: its bytes in, its reply out. Whatever goes wrong is a reply, too. */
export async function run(call: Call): Promise<Done<CommandData["run"]>> {
  const [host, ...more] = call.args;
  if (more.length > 0) throw refuse("E_USAGE", { found: more[0]?.slice(0, 200) ?? "", expected: "one host" });
  const adapter = adapterOf(host);
  const stuck: Stuck = { adapter, input: new Uint8Array(), ...folders(call, adapter) };
  answerAnyError(stuck);
  stuck.input = await readStdin();
  const reply = await answer(call, adapter, stuck.input).catch((error: unknown) => replyWithoutEngine(stuck, error));
  return { data: reply, lines: [], reply };
}

/** An error that nobody waits for would end the program with 1 and a stack, which every host takes for a yes. */
function answerAnyError(stuck: Stuck): void {
  const end = (error: unknown) => {
    const { exit, stderr } = replyWithoutEngine(stuck, error);
    writeAll(2, stderr);
    process.exit(exit);
  };
  process.once("uncaughtException", end);
  process.once("unhandledRejection", end);
}

async function answer(call: Call, adapter: HostAdapter, input: Uint8Array): Promise<HostReply> {
  const event = adapter.read(input);
  if (event.event === null) return { exit: 0, stdout: "", stderr: "" };
  const engine = openEngine({ home: homeFolders(call.home), env: call.env, worker: process.execPath });
  return adapter.write(event, await dispatch(requestOf(call, adapter, event), engine));
}

type Served = Extract<HostEvent, { payload: Payload }>;

function requestOf(call: Call, adapter: HostAdapter, { event, payload, subjects }: Served): Request {
  const hostFolder = variableOf(call, adapter);
  const hostProcess = adapter.name === "native" ? undefined : startedBy(process.pid);
  const ceilingMs = adapter.name === "native" ? undefined : (SHORT_CEILING_MS[event] ?? CEILING_MS);
  return {
    ...{ payload, host: adapter.name, subjects, canAsk: adapter.name !== "codex" },
    ...(call.project === undefined ? {} : { flag: call.project }),
    ...(hostFolder === undefined ? {} : { hostFolder }),
    ...(hostProcess === undefined ? {} : { hostProcess }),
    ...(ceilingMs === undefined ? {} : { ceilingMs }),
  };
}

/** Both hosts give a hook 600 s unless its entry says less; these they give less by themselves. We decide before they give up. */
const CEILING_MS = 590_000;
const SHORT_CEILING_MS: Readonly<Partial<Record<EventName, number>>> = {
  UserPromptSubmit: 29_000,
  SessionEnd: 800,
  Interrupt: 800,
};

function folders(call: Call, adapter: HostAdapter): { home?: string; folder?: string } {
  const folder = call.project ?? variableOf(call, adapter);
  return { ...(call.home === undefined ? {} : { home: call.home }), ...(folder === undefined ? {} : { folder }) };
}

function variableOf({ env }: Call, { projectVariable }: HostAdapter): string | undefined {
  return (projectVariable === undefined ? undefined : env[projectVariable]) || undefined;
}
