import type { Decision } from "@hookpkg/spec";
import { type At, attempt } from "./containment.ts";
import type { Decided } from "./decision/decide.ts";
import { keepRecording, sweepRecordings } from "./recording/recordings.ts";
import type { Engine, Request } from "./request.ts";
import { sweepTexts } from "./spill/session-texts.ts";

/**
 * When the decision is out: a tool call is kept for replay, in the innermost project; at a session's start, and after a long text, goes
 * what has been kept for long enough. Nothing of it can change the decision any more.
 */
export function leaveForKeeping(
  request: Request,
  { home, outside, secrets }: Engine,
  { found, subjects }: At,
  { decision, long, repeated }: Decided,
): void {
  const { payload, host, after } = request;
  const project = found.projects.at(-1)?.id;
  const isStart = payload.hook_event_name === "SessionStart";
  const isKept = payload.hook_event_name === "PreToolUse" && project !== undefined && repeated === undefined;
  if (!isStart && !isKept && long.length === 0) return;
  const whole: Decision = { ...decision, person: [] };
  const work = async () => {
    if (isStart || long.length > 0) sweepTexts(outside);
    if (isStart) await attempt(async () => sweepRecordings(home, outside), undefined);
    const call = { host, subjects, payload, decision: whole };
    const keep = async () => keepRecording(home, project ?? "", call, { outside, secrets });
    if (isKept) await attempt(keep, undefined);
  };
  const afterReply = () => replied().then(work);
  if (after === undefined) void afterReply();
  else after(afterReply);
}

/** Whoever takes what is left may begin at once, and has not replied yet: none of this may come before. */
function replied(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
