import { dispatch, Prewarm, Workers } from "../../runtime/index.ts";
import { median, type Row, ratioRow, sideBySide } from "../measure.ts";
import { engineOf, eventIn, project, requestIn, type Stage } from "../stage.ts";

/** What a host waits for when a session starts, with many packages and with one: nothing of them is on its way. */
export async function sessionRows(stage: Stage): Promise<Row[]> {
  const many = await project(stage, "session-20", { packages: 20 });
  const one = await project(stage, "session-1");
  const starting = { "20 packages": () => started(stage, many), "1 package": () => started(stage, one) };
  const start = await sideBySide(starting, { warmup: 2, rounds: 15 });
  const calling = {
    "made ready": () => firstCall(stage, one, true),
    "not made ready": () => firstCall(stage, one, false),
  };
  const call = await timedInside(calling, 15);
  return [
    ratioRow("a session's start, 20 packages beside 1", start, { most: 3, aim: "≤ 3 ×" }),
    ratioRow("its first tool call, worker made ready", call, { most: 1, aim: "< 1 ×" }),
  ];
}

let sessions = 0;

/** A new session in an engine whose workers are all cold; what goes on behind the answer is waited for, untimed. */
async function started(stage: Stage, root: string): Promise<() => Promise<void>> {
  const [workers, prewarm] = [new Workers(), new Prewarm()];
  await dispatch(startOf(root), engineOf(stage.home, { workers, prewarm }));
  return async () => {
    await prewarm.done();
    await workers.close();
  };
}

function startOf(root: string) {
  const { session_id, transcript_path, cwd } = eventIn(root, { session: `${root} ${sessions++}` });
  const payload = { hook_event_name: "SessionStart" as const, session_id, transcript_path, cwd };
  return { payload, host: "native", canAsk: true, stays: true };
}

/** Milliseconds of a session's first tool call alone. */
async function firstCall(stage: Stage, root: string, isReady: boolean): Promise<number> {
  const [workers, prewarm] = [new Workers(), new Prewarm()];
  const engine = engineOf(stage.home, isReady ? { workers, prewarm } : { workers });
  const start = startOf(root);
  await dispatch(start, engine);
  await prewarm.done();
  const call = { ...requestIn(root), payload: { ...eventIn(root), session_id: start.payload.session_id } };
  const from = performance.now();
  await dispatch(call, engine);
  const ms = performance.now() - from;
  await workers.close();
  return ms;
}

async function timedInside(ways: Readonly<Record<string, () => Promise<number>>>, rounds: number) {
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(ways)) {
      taken[name] ??= [];
      taken[name].push(await work());
    }
  return Object.fromEntries(Object.entries(taken).map(([name, times]) => [name, median(times)]));
}
