import { isRecording, readRecordings } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { countOf } from "../look/count.ts";
import { counted, pageLines } from "./page.ts";
import { meant, named, openTrust } from "./project-trust.ts";
import { type Replayed, replayed } from "./replayed.ts";

/** As many as are kept. */
const MAX_CALLS = 200;
const MAX_SHOWN = 20;

/** What the project's handlers would have said to its last tool calls, before anybody approves them. */
export async function run(call: Call): Promise<Done<CommandData["replay"]>> {
  const limit = countOf(call, "limit", { absent: MAX_CALLS, max: MAX_CALLS });
  const { home, place, view } = await openTrust(call);
  const asked = named(view.handlers, meant(call.args, call.cwd, place.root));
  const recordings = readRecordings(home, place.id, Date.now()).slice(-limit);
  const tooLarge = recordings.filter(({ payload }) => payload === null).length;
  const about = { recorded: recordings.length, tooLarge };
  if (recordings.length === 0) return { data: { ...about, handlers: [] }, lines: [noneText(isRecording(home))] };
  call.terminal.note(`replaying ${counted(recordings.length, "call")} in the sandbox …`);
  const handlers = await replayed(home, asked, { recordings });
  const lines = handlers.flatMap((one) => [...handlerLines(one, MAX_SHOWN), ""]);
  return {
    data: { ...about, handlers },
    lines: [
      ...(lines.length > 0 ? lines : ["no handler is installed here"]),
      ...(tooLarge > 0 ? [`${counted(tooLarge, "call")} too large to be kept, and left out`] : []),
    ],
  };
}

export function noneText(isKept: boolean): string {
  return isKept
    ? "no tool call of this project was recorded in the last seven days"
    : "tool calls are not recorded: config.json says record: false";
}

function handlerLines(one: Replayed, max: number): string[] {
  const what = one.version === "proposed" ? "as proposed, not approved" : "as approved";
  return [
    ...pageLines(`${one.handler} (${what}): ${saidWords(one)}`),
    ...one.differs
      .slice(-max)
      .flatMap(({ at, tool, call, before, now, reason }) => [
        ...pageLines(`${at.slice(0, 16)} ${tool}: ${call}`, "  "),
        ...pageLines(`then ${before}; now it ${now}${reason === undefined ? "" : `: ${reason}`}`, "      "),
      ]),
    ...(one.differs.length > max
      ? [`  and ${one.differs.length - max} earlier differences (--json has them all)`]
      : []),
  ];
}

/** `cancels 2, passes 10 of 12 calls; 2 differ from then`: what is nothing is not named. */
export function saidWords({ calls, differs, codes, unable, left, ...counts }: Replayed): string {
  if (unable !== undefined) return unable;
  const parts = COUNTS.flatMap(([name, words]) => (counts[name] > 0 ? [`${words} ${counts[name]}`] : []));
  const failed = codes.length === 0 ? "" : ` (${codes.join(", ")})`;
  const rest = left > 0 ? `; ${counted(left, "call")} left out, it took too long` : "";
  if (calls === 0) return `none of the recorded calls concerns it${rest}`;
  const same = differs.length === 0 ? "no difference from then" : `${differs.length} unlike what was decided then`;
  return `of ${counted(calls, "recorded call")} it ${parts.join(", ")}${failed}; ${same}${rest}`;
}

const COUNTS = [
  ["cancels", "cancels"],
  ["asks", "asks about"],
  ["allows", "allows"],
  ["changes", "changes"],
  ["passes", "lets pass"],
  ["failures", "fails at"],
] as const;
