import { dispatch } from "../../runtime/index.ts";
import { type Row, ratioRow, sideBySide } from "../measure.ts";
import { barePipe } from "../rivals.ts";
import { project, requestIn, runOf, type Stage } from "../stage.ts";

/** A warm worker beside the plainest pipe to an unsandboxed process that judges the same. */
export async function handlerRow(stage: Stage): Promise<Row> {
  const root = await project(stage, "one");
  const pipe = barePipe(root);
  const ways = { "warm module": await runOf(stage, root), "bare pipe": pipe.ask };
  const medians = await sideBySide(ways, { warmup: 500, rounds: 4000 });
  pipe.close();
  return ratioRow("one handler, 1 KB", medians, { most: 1.5, aim: "≤ 1.5 ×" });
}

/** Whole events, from the first station to the last. */
export async function chainRow(stage: Stage): Promise<Row> {
  const ten = await project(stage, "chain-10", { packages: 10 });
  const one = await project(stage, "chain-1");
  const event = (root: string) => () => dispatch(requestIn(root), stage.engine);
  const medians = await sideBySide({ "10 packages": event(ten), "1 package": event(one) }, { warmup: 50, rounds: 300 });
  return ratioRow("an event, 10 packages beside 1", medians, { most: 10, aim: "≤ 10 ×" });
}

export async function noMatchRow(stage: Stage): Promise<Row> {
  const root = await project(stage, "no-match");
  const event = () => dispatch(requestIn(root, { tool: "Read" }), stage.engine);
  const medians = await sideBySide({ "in the daemon": event }, { warmup: 50, rounds: 500 });
  const ms = medians["in the daemon"] ?? 0;
  return {
    what: "an event that no handler matches",
    medians,
    result: `${ms.toFixed(2)} ms`,
    aim: "< 1 ms",
    kept: ms < 1,
  };
}
