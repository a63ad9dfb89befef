import { canAsk, type HostAdapter, type HostEvent, type HostReply, takesContext } from "@hookpkg/hosts";
import { dispatch, type Engine, type ProcessMark, type Request } from "@hookpkg/runtime";
import { type EventName, eventRow, type Payload } from "@hookpkg/spec";
import { oneLine } from "../terminal.ts";
import { isCanary, judgeCanary } from "./canary.ts";
import { adapterOf } from "./event.ts";
import { hasEntriesBeside, hasOwnEntries } from "./own-entries.ts";
import { startedBy } from "./started-by.ts";
import { withVersion } from "./version-told.ts";

/**
 * Where an event comes from: the entry's `--project`, the host's variable, and the process that the host started. `spentMs`: how long the
 * host has been waiting for it already, as for a daemon that died over it.
 */
export type From = {
  project?: string;
  env: Readonly<Record<string, string | undefined>>;
  pid: number;
  spentMs: number;
  /** The host itself, where it is not an ancestor of `pid` but the other end of a socket. */
  hostProcess?: ProcessMark;
};

/** What is done when the reply is out, in the order in which it was left. */
export type Afterwards = { after: (work: () => Promise<void>) => void; stays: boolean };

/**
 * One event of a host, in its bytes, judged by the chain and told in the host's own words. What nobody can answer is not waited for,
 * except by an embedder, whose answer says what became of it. A host that runs the entry of another is answered once: where it has entries
 * of its own, those ask.
 */
export async function judgeEvent(
  asked: HostAdapter,
  input: Uint8Array,
  { from, afterwards }: { from: From; afterwards: Afterwards },
  engine: Engine,
): Promise<HostReply> {
  const caller = asked.caller?.(input, from.env);
  const adapter = caller === undefined ? asked : adapterOf(caller);
  if (caller !== undefined && (await hasOwnEntries(engine.home, caller))) return NOTHING;
  const event = adapter.read(input);
  if (event.event === null) return adapter.name === "native" ? noEvent(event.hostEventName) : NOTHING;
  if (caller !== undefined && (await asksBeside(asked, adapter, event, from))) return NOTHING;
  const isEmbedder = adapter.name === "native" && eventRow(event.event).kind === "notice";
  if (isCanary(event.payload)) return adapter.write(event, await judgeCanary(requestOf(from, adapter, event), engine));
  const request = {
    ...requestOf(from, adapter, event),
    ...afterwards,
    ...(isEmbedder ? { waits: true as const } : {}),
  };
  const decision = await dispatch(request, engine);
  return adapter.write(event, withVersion(decision, { adapter, event, env: from.env, home: engine.home }));
}

/** A project may have entries for both hosts, and the one that runs both is answered by its own. */
async function asksBeside(asked: HostAdapter, adapter: HostAdapter, event: Served, { env }: From): Promise<boolean> {
  const folder = projectFolder(env, adapter) ?? event.payload.cwd;
  return hasEntriesBeside({ asked: asked.name, host: adapter.name, event: event.event }, folder);
}

const NOTHING: HostReply = { exit: 0, stdout: "", stderr: "" };

/** Hosts have events that hookpkg does not serve; an embedder's own that is none is a slip of its author's, who must see it. */
function noEvent(name: string): HostReply {
  return { ...NOTHING, stderr: `${oneLine(`hookpkg: no hook has run: ${JSON.stringify(name)} is no event`)}\n` };
}

type Served = Extract<HostEvent, { payload: Payload }>;

function requestOf(from: From, adapter: HostAdapter, read: Served): Request {
  const { event, payload, subjects } = read;
  const hostFolder = projectFolder(from.env, adapter);
  const hostProcess = adapter.name === "native" ? undefined : (from.hostProcess ?? startedBy(from.pid));
  const givesMs = SHORT_CEILING_MS[event] ?? adapter.ceilingMs ?? CEILING_MS;
  const ceilingMs = adapter.name === "native" ? undefined : Math.max(1, givesMs - from.spentMs);
  const { takes } = adapter;
  return {
    ...{ payload, host: adapter.name, subjects, canAsk: canAsk(adapter, read) },
    ...(LISTENS.has(event) ? { takesContext: takesContext(adapter, read) } : {}),
    ...(from.project === undefined ? {} : { flag: from.project }),
    ...(hostFolder === undefined ? {} : { hostFolder }),
    ...(hostProcess === undefined ? {} : { hostProcess }),
    ...(ceilingMs === undefined ? {} : { ceilingMs }),
    ...(takes === undefined ? {} : { takes }),
  };
}

/** Where what turns of triggers said is told, if the host's model hears it. */
const LISTENS: ReadonlySet<EventName> = new Set(["UserPromptSubmit", "SessionStart"]);

/** What our entries give is 600 s where the host gives that much; at these events it is less. We decide before the host gives up. */
const CEILING_MS = 590_000;
const SHORT_CEILING_MS: Readonly<Partial<Record<EventName, number>>> = {
  UserPromptSubmit: 29_000,
};

/** The folder that the host says it works in. */
export function projectFolder(env: From["env"], { projectVariable }: HostAdapter): string | undefined {
  return (projectVariable === undefined ? undefined : env[projectVariable]) || undefined;
}
