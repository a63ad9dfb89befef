// bun bench/dispatch.ts [--json] [ROW…]: what an event costs. Each row compares ways that took turns in one run; the ratios count, not
// the times. README.md says what the rows mean.
import { type Row, table } from "./measure.ts";
import { commandRow, commandRowOfUser } from "./rows/command.ts";
import { curveRows } from "./rows/curves.ts";
import { chainRow, handlerRow, noMatchRow } from "./rows/handler.ts";
import { processRow } from "./rows/process.ts";
import { sessionRows } from "./rows/session.ts";
import { socketRows } from "./rows/socket.ts";
import { openStage, type Stage } from "./stage.ts";

const ROWS: Readonly<Record<string, (stage: Stage) => Promise<Row | readonly Row[] | undefined>>> = {
  ...{ handler: handlerRow, chain: chainRow, nomatch: noMatchRow, socket: socketRows, process: processRow },
  ...{ command: commandRow, user: commandRowOfUser, session: sessionRows, curves: curveRows },
};

const words = process.argv.slice(2).filter((word) => word !== "--json");
const stage = await openStage();
try {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(ROWS)) {
    if (words.length > 0 && !words.includes(name)) continue;
    const measured = [(await measure(stage)) ?? []].flat();
    for (const { what, result } of measured) console.error(`… ${what}: ${result}`);
    rows.push(...measured);
  }
  console.log(process.argv.includes("--json") ? JSON.stringify(rows) : table(rows));
} finally {
  await stage.close();
}
process.exit();
