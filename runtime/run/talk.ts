import type { AnswerRead, EventName, Outcome } from "@hookpkg/spec";
import type { WriteGrant } from "../sandbox/profile.ts";
import { answered } from "./answered.ts";
import { type Run, stderrOf, timeLeft } from "./command.ts";
import { Desk } from "./desk.ts";
import type { Role } from "./role.ts";
import { type Reply, Worker, type WorkerLimits, type WorkerPlan } from "./worker.ts";
import { withWriting } from "./writing.ts";

/** A call for a program that speaks frames. Without keys, or where no workers are kept, it gets a process of its own. */
export type Talk = {
  from: number;
  body: string;
  keys: Pick<Role, "group" | "key"> | undefined;
  planFor: (write: WriteGrant[]) => WorkerPlan;
  once: boolean;
  limits: WorkerLimits;
};

export async function talk(run: Run, { from, body, keys, planFor, once, limits }: Talk): Promise<Reply> {
  const until = from + timeLeft(run);
  const { workers } = run.deps;
  const desk = new Desk(run);
  if (workers !== undefined && keys !== undefined)
    return await workers.ask({ ...keys, once, limits, plan: () => planFor([]) }, body, until, desk);
  return await withWriting(run, until, async (write) => {
    const worker = new Worker(planFor(write), limits);
    try {
      return await worker.ask(body, until, desk);
    } finally {
      await worker.stop();
    }
  });
}

/** A worker's reply as the handler's outcome. */
export function spokenOutcome(
  run: Run,
  { verdict, stderr, denied }: Reply,
  from: number,
  read: (answer: unknown, event: EventName) => AnswerRead,
): Outcome {
  const { handler } = run.runnable;
  const aside = { ms: performance.now() - from, ...stderrOf(stderr, run), ...(denied.length > 0 ? { denied } : {}) };
  if (verdict.said === "answer") return answered(read(verdict.answer, handler.event), handler, aside);
  const detail = verdict.detail === undefined ? {} : { detail: verdict.detail };
  // A module's worker is ours and says it by itself: there it is the machine that took its time.
  const isUnready = verdict.said === "late" && verdict.isReady === false && handler.run.type === "service";
  if (verdict.said === "late")
    return { outcome: "late", why: isUnready ? "E_RUN_NOT_READY" : "E_RUN_LATE", ...detail, ...aside };
  return { outcome: "failed", why: verdict.why, ...detail, ...aside };
}
