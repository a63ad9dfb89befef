import type { Answer, Outcome, PatchFields, Payload } from "@hookpkg/spec";
import type { Gated, Runnable } from "../gate/runnable.ts";
import type { Emit } from "../notice/trigger.ts";
import { type Judged, judge } from "./judge.ts";
import { isWanted } from "./select.ts";

/** One run of one handler. Everything it needs beside the handler itself; the runner adds environment and folders. */
export type RunCall = {
  payload: Payload;
  recheck: boolean;
  timeoutMs: number;
  /** Takes a notice that the handler tells; absent: nobody listens. */
  emit?: Emit;
};
/** Station 13 as the chain sees it. */
export type RunHandler = (handler: Runnable, call: RunCall) => Promise<Outcome>;

/** What became of one handler: whether it matched, how its run ended, what that means for the action. */
export type ChainEntry = {
  gated: Gated;
  matched: boolean;
  /** Absent when it was not run. */
  outcome?: Outcome;
  effect: Effect;
  recheck?: true;
  /** Why a handler that is well is not run now: it had its one run in this session, runs after the decision, or answered just now. */
  aside?: "spent" | "later" | "repeated";
};

/** Handlers that are not run now, for one reason. */
export function setAside(gated: readonly Gated[], aside: NonNullable<ChainEntry["aside"]>): ChainEntry[] {
  return gated.map((each) => ({ gated: each, matched: true, effect: { effect: "none" }, aside }));
}

export type Effect =
  | { effect: "none" | "passed" }
  | { effect: "refused"; by: "cancel" | "end"; reason: string }
  | { effect: "refused"; by: "held" | "failed"; cause: string }
  | { effect: "asked" | "allowed"; reason: string };

export type Chained = {
  entries: readonly ChainEntry[];
  /** The payload as it will happen. */
  payload: Payload;
  /** Fields that were patched, as they are at the end; absent when nothing was. */
  patch?: PatchFields;
};

export type ChainRun = {
  run: RunHandler;
  /** For all of them together. */
  ceilingMs?: number;
  /** Those that are not run now, and why. */
  aside?: (handler: Runnable) => ChainEntry["aside"];
};

/**
 * Station 12: the handlers one after the other, each with the payload as patched so far. The first refusal ends the chain, the rest is
 * not reached; only at an agent's stop a wish to go on does not, because an end for good wins over it. Then guards that stood before
 * the last patch are asked once more about what will really happen.
 */
export async function runChain(
  gated: readonly Gated[],
  payload: Payload,
  { run, ceilingMs = MAX_CHAIN_MS, aside = () => undefined }: ChainRun,
): Promise<Chained> {
  const until = performance.now() + ceilingMs;
  const walk: Walk = { run, aside, until, payload, entries: [], patched: new Set(), lastPatch: -1, ended: false };
  for (const [place, handler] of gated.entries()) await take(walk, handler, place);
  for (const handler of gated.slice(0, Math.max(0, walk.lastPatch))) await takeAgain(walk, handler);
  const fields = [...walk.patched].map((field) => [field, walk.payload[field]]);
  return {
    entries: walk.entries,
    payload: walk.payload,
    ...(fields.length === 0 ? {} : { patch: Object.fromEntries(fields) }),
  };
}

/** Above every handler's own timeout; hosts give up earlier and say so in `ceilingMs`. */
const MAX_CHAIN_MS = 20 * 60 * 1000;

type Walk = {
  run: RunHandler;
  aside: (handler: Runnable) => ChainEntry["aside"];
  until: number;
  payload: Payload;
  entries: ChainEntry[];
  patched: Set<string>;
  lastPatch: number;
  ended: boolean;
};

async function take(walk: Walk, gated: Gated, place: number): Promise<void> {
  const aside = gated.kind === "runnable" ? walk.aside(gated) : undefined;
  if (aside !== undefined) {
    walk.entries.push({ gated, matched: true, effect: { effect: "none" }, aside });
    return;
  }
  if (gated.kind === "runnable" && !isWanted(gated, walk.payload)) {
    walk.entries.push({ gated, matched: false, effect: { effect: "none" } });
    return;
  }
  if (walk.ended) {
    walk.entries.push({ gated, matched: true, outcome: { outcome: "not-reached", ms: 0 }, effect: { effect: "none" } });
    return;
  }
  const judged = judge(gated, walk.payload, await outcomeOf(walk, gated, false));
  walk.entries.push({ gated, matched: true, outcome: judged.outcome, effect: judged.effect });
  if (judged.effect.effect === "refused") walk.ended = !isStop(walk.payload) || judged.effect.by === "end";
  if (judged.patched === undefined) return;
  walk.payload = judged.patched.payload;
  for (const field of judged.patched.fields) walk.patched.add(field);
  walk.lastPatch = place;
}

/** Only a refusal or a question counts now: a patch here would need another round, and another. */
async function takeAgain(walk: Walk, gated: Gated): Promise<void> {
  if (walk.ended || gated.kind !== "runnable" || walk.aside(gated) || !isWanted(gated, walk.payload)) return;
  if (!gated.normalForm.may.some((may) => may === "cancel" || may === "ask")) return;
  const judged = judge(gated, walk.payload, await outcomeOf(walk, gated, true));
  const effect: Effect = judged.effect.effect === "allowed" ? { effect: "none" } : judged.effect;
  walk.entries.push({ gated, matched: true, outcome: withoutContext(judged), effect, recheck: true });
  if (effect.effect === "refused") walk.ended = true;
}

function withoutContext({ outcome }: Judged): Outcome {
  if (outcome.outcome !== "answered") return outcome;
  const { context: _, ...answer } = { context: undefined, ...outcome.answer };
  const kept = answer.answer === "context" ? { answer: "continue" as const } : (answer as Answer); // only its context is gone
  return { ...outcome, answer: kept };
}

async function outcomeOf(walk: Walk, gated: Gated, recheck: boolean): Promise<Outcome> {
  if (gated.kind === "held") return { outcome: "held", why: gated.why, ms: 0 };
  if (gated.kind === "bypassed") return { outcome: "skipped", why: gated.why, ms: 0 };
  const timeoutMs = Math.floor(Math.min(gated.normalForm.timeoutMs, walk.until - performance.now()));
  if (timeoutMs <= 0) return { outcome: "late", why: "E_RUN_LATE", detail: "clamped: no time was left for it", ms: 0 };
  const outcome = await within(timeoutMs, () => walk.run(gated, { payload: walk.payload, recheck, timeoutMs }));
  const isCut = outcome.outcome === "late" && timeoutMs < gated.normalForm.timeoutMs;
  return isCut ? { ...outcome, detail: outcome.detail ?? `clamped: its time was cut to ${timeoutMs} ms` } : outcome;
}

/** Where a cancel means going on. */
export function isStop({ hook_event_name: event }: Payload): boolean {
  return event === "Stop" || event === "SubagentStop";
}

/** The runner keeps the deadline; this is for a runner that doesn't, and for one that throws. */
const RUNNER_GRACE_MS = 1500;

async function within(timeoutMs: number, work: () => Promise<Outcome>): Promise<Outcome> {
  const from = performance.now();
  let timer: Timer | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const give = () => resolve({ outcome: "late", why: "E_RUN_LATE", ms: performance.now() - from });
    timer = setTimeout(give, timeoutMs + RUNNER_GRACE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 500) : "";
    return { outcome: "failed", why: "E_CHAIN_RUNNER", detail, ms: performance.now() - from };
  } finally {
    clearTimeout(timer);
  }
}
