import type { HostAdapter, HostEvent, HostReply } from "@hookpkg/hosts";
import { dispatch, type Engine, type Request } from "@hookpkg/runtime";
import type { EventName, Payload } from "@hookpkg/spec";
import { startedBy } from "./started-by.ts";

/** Where an event comes from: the entry's `--project`, the host's variable, and the process that the host started. */
export type From = { project?: string; env: Readonly<Record<string, string | undefined>>; pid: number };

/** One event of a host, in its bytes, judged by the chain and told in the host's own words. */
export async function judgeEvent(
  adapter: HostAdapter,
  input: Uint8Array,
  from: From,
  engine: Engine,
): Promise<HostReply> {
  const event = adapter.read(input);
  if (event.event === null) return NOTHING;
  return adapter.write(event, await dispatch(requestOf(from, adapter, event), engine));
}

/**
 * The same where the process outlives the event: what nobody can answer is handed over, and the host need not wait for it (1 s for each
 * handler, 3 s in all).
 */
export async function judgeAndStay(
  adapter: HostAdapter,
  input: Uint8Array,
  from: From,
  engine: Engine,
): Promise<HostReply> {
  const event = adapter.read(input);
  if (event.event === null) return NOTHING;
  const request = requestOf(from, adapter, event);
  if (adapter.name === "native" || !ENDINGS.includes(event.event))
    return adapter.write(event, await dispatch(request, engine));
  void dispatch({ ...request, ceilingMs: 3000, eachMs: 1000 }, engine);
  return NOTHING;
}

const NOTHING: HostReply = { exit: 0, stdout: "", stderr: "" };
/** The host is about to go. */
const ENDINGS: readonly EventName[] = ["SessionEnd", "Interrupt"];

type Served = Extract<HostEvent, { payload: Payload }>;

function requestOf(from: From, adapter: HostAdapter, { event, payload, subjects }: Served): Request {
  const hostFolder = projectFolder(from.env, adapter);
  const hostProcess = adapter.name === "native" ? undefined : startedBy(from.pid);
  const ceilingMs = adapter.name === "native" ? undefined : (SHORT_CEILING_MS[event] ?? adapter.ceilingMs ?? CEILING_MS);
  return {
    ...{ payload, host: adapter.name, subjects, canAsk: adapter.name !== "codex" },
    ...(from.project === undefined ? {} : { flag: from.project }),
    ...(hostFolder === undefined ? {} : { hostFolder }),
    ...(hostProcess === undefined ? {} : { hostProcess }),
    ...(ceilingMs === undefined ? {} : { ceilingMs }),
  };
}

/** What our entries give is 600 s where the host gives that much; at these events it is less. We decide before the host gives up. */
const CEILING_MS = 590_000;
const SHORT_CEILING_MS: Readonly<Partial<Record<EventName, number>>> = {
  UserPromptSubmit: 29_000,
  SessionEnd: 800,
  Interrupt: 800,
};

/** The folder that the host says it works in. */
export function projectFolder(env: From["env"], { projectVariable }: HostAdapter): string | undefined {
  return (projectVariable === undefined ? undefined : env[projectVariable]) || undefined;
}
