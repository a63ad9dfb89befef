import { isFault } from "@hookpkg/fault";
import type { Concluded, Decided, Long, Said } from "../decision/decide.ts";
import { contextBlock, fenceFor, reasonLine } from "../decision/wording.ts";
import { BYTES, CHARACTERS, endsOf, type Measure } from "./ends.ts";
import { shares } from "./shares.ts";

/** Characters that one event may bring to the agent, all handlers and lanes together. */
export const MAX_TOGETHER = 16_000;

/** What a host shows its model of one text before it cuts by itself. */
export type HostTakes = { max: number; unit: "characters" | "bytes" };

/** `keep` writes a text down and gives its path; without it nothing is written, as for an event that is only tried. */
export type Wording = {
  takes?: HostTakes | undefined;
  keep?: ((text: string) => string) | undefined;
};

/**
 * The decision in the words that the host gets: whole where they fit, else of each long text its head, its tail and the file with all of
 * it. A patch is no text and never cut.
 */
export function worded({ decision, said, ...rest }: Concluded, { takes, keep }: Wording = {}): Decided {
  const measure = takes?.unit === "bytes" ? BYTES : CHARACTERS;
  const caps = shares(
    said.map((each) => ({ ...each, size: measure(each.text), beside: measure(around(each)) })),
    { lane: Math.min(takes?.max ?? MAX_TOGETHER, MAX_TOGETHER), together: MAX_TOGETHER },
  );
  const long: Long[] = [];
  const kept = (text: string, by: readonly string[]) => {
    const found = keep === undefined ? undefined : keptIn(text, keep);
    if (found !== undefined) long.push(...by.map((name) => ({ by: name, ...found })));
    return found;
  };
  const lanes = (["reason", "context"] as const).map((lane) => {
    const placed = said.flatMap((each, n) => (each.lane === lane ? [{ each, cap: caps[n] }] : []));
    const whole = placed.flatMap(({ each, cap }) =>
      cap === undefined ? [] : [shown(each, fitted(each, { cap, measure, kept }))],
    );
    const others = placed.flatMap(({ each, cap }) => (cap === undefined ? [each] : []));
    return [...whole, ...(others.length === 0 ? [] : [together(others, kept)])].join(BETWEEN[lane]);
  });
  const [reason = "", context = ""] = lanes;
  return {
    ...rest,
    decision: {
      ...decision,
      ...(decision.decision === "continue" ? {} : { reason }),
      ...(context === "" ? {} : { context }),
    },
    long,
  };
}

/** All that will stand beside a text, however much of it is shown. */
function around(each: Said): string {
  const fence = each.lane === "context" ? fenceFor(each.text).repeat(2) : "";
  return `${shown(each, "")}${fence}${BETWEEN[each.lane]}`;
}

const BETWEEN = { reason: "\n", context: "\n\n" } as const;

function shown({ by, lane }: Said, text: string): string {
  if (by === undefined) return text;
  return lane === "reason" ? reasonLine(by, text) : contextBlock(by, text);
}

type Kept = { file: string } | { lost: string } | undefined;
type Fitting = { cap: number; measure: Measure; kept: (text: string, by: readonly string[]) => Kept };

function fitted({ by, text }: Said, { cap, measure, kept }: Fitting): string {
  if (measure(text) <= cap) return unmarked(text);
  const place = placeWords(kept(text, by === undefined ? [] : [by]));
  const room = cap - measure(notice(text.length, place)) - 2;
  const { head, tail } = endsOf(text, room, measure);
  const parts = [unmarked(head), notice(text.length - head.length - tail.length, place), unmarked(tail)];
  return parts.filter((part) => part !== "").join("\n");
}

/** A line like ours, that names a file, is nobody's but ours: what a handler hands on may have one to lead the agent astray. */
function unmarked(text: string): string {
  return text.replace(/^([^\S\n]*)…(?=[^\n]*(?:left out|all of it))/gm, "$1·");
}

/** Those for which there was no place: all of them in one file, and one line for them all. */
function together(others: readonly Said[], kept: Fitting["kept"]): string {
  const by = others.flatMap((each) => each.by ?? []);
  const all = others.map((each) => shown(each, each.text)).join("\n\n");
  return `… ${others.length === 1 ? "1 more hook" : `${others.length} more hooks`}: ${notice(all.length, placeWords(kept(all, by))).slice(2)}`;
}

function notice(left: number, place: string): string {
  return `… ${left.toLocaleString("en-US")} characters left out; ${place} …`;
}

function placeWords(kept: Kept): string {
  if (kept === undefined) return "in a session a file has all of it";
  return "file" in kept ? `all of it: ${kept.file}` : `they could not be kept (${kept.lost})`;
}

/** Whatever goes wrong there changes nothing of the decision. */
function keptIn(text: string, keep: (text: string) => string): { file: string } | { lost: string } {
  try {
    return { file: keep(text) };
  } catch (error) {
    return { lost: isFault(error) ? error.code : "E_SPILL_UNWRITABLE" };
  }
}
