import {
  type Answer,
  type Decision,
  eventRow,
  type JournalLine,
  type Matcher,
  matcherWords,
  type Payload,
  textEnds,
} from "@hookpkg/spec";
import type { ChainEntry } from "../chain/chain.ts";
import type { Long } from "../decision/decide.ts";
import { cleanText, cut } from "../decision/wording.ts";
import { type Approved, UNKNOWN_IDENTITY } from "../gate/runnable.ts";
import type { Apart } from "../gate/stations.ts";

const MAX_DETAIL = 500;
const MAX_DENIED = 20;

/** One event: what the host said, what its matchers were tried on, when it was, and what the host was told. */
export type Occasion = {
  payload: Payload;
  subjects: readonly string[];
  host: string;
  at: string;
  decision: Pick<Decision, "decision" | "patch" | "forced">;
  /** Who told it, where no host did. */
  by?: string;
  /** Texts that the agent did not get whole. */
  long?: readonly Long[];
};

/** Station 15: one line for each considered handler of one event, those without a part in it last. */
export function journalLines(
  { entries, apart }: { entries: readonly ChainEntry[]; apart: readonly Apart[] },
  occasion: Occasion,
): JournalLine[] {
  return [...entries.map((entry) => lineOf(entry, occasion)), ...apart.map((each) => apartLine(each, occasion))];
}

function common({ payload, host, at, by }: Occasion) {
  return {
    v: 1 as const,
    at,
    session: payload.session_id,
    turn: payload.turn_id ?? null,
    host,
    event: payload.hook_event_name,
    ...(by === undefined ? {} : { by: shown(by) }),
    ...(payload.tool_name === undefined ? {} : { tool: payload.tool_name }),
  };
}

function lineOf({ gated, matched, outcome, aside }: ChainEntry, occasion: Occasion): JournalLine {
  const answered = outcome?.outcome === "answered" ? outcome.answer : undefined;
  const reason = answered && "reason" in answered ? answered.reason : undefined;
  const detail = outcome && "detail" in outcome ? outcome.detail : undefined;
  const said = reason ?? detail ?? asideOf(answered) ?? (answered && isTrigger(gated) ? BEGUN : undefined);
  const why = aside ? ASIDE_WORDS[aside] : matched ? said : ruleWords(gated);
  const denied = outcome?.denied ?? [];
  return {
    ...common(occasion),
    handler: gated.name,
    identity: gated.identity ?? UNKNOWN_IDENTITY,
    state: gated.kind === "held" ? "held" : gated.state,
    matched,
    outcome: outcome?.outcome ?? "not-run",
    ...(answered ? { answer: answered.answer } : {}),
    ...(why === undefined ? {} : { why: shown(why) }),
    ...(outcome && "why" in outcome ? { code: outcome.why } : {}),
    ...(outcome?.stderr ? { stderr: shown(remark(outcome.stderr, outcome.outcome === "answered")) } : {}),
    ms: Math.round((outcome?.ms ?? 0) * 10) / 10,
    ...(denied.length > 0 ? { denied: denied.slice(0, MAX_DENIED).map(shown) } : {}),
    ...longOf(gated.name, occasion),
    ...toldOf(occasion),
  };
}

/** What it said beside its decision, or instead of one. */
function asideOf(answer: Answer | undefined): string | undefined {
  if (answer?.printed !== undefined) return `printed text, no decision: ${answer.printed}`;
  return answer?.shown;
}

/** Its prompt was handed to whoever begins turns; what comes of that is told there. */
const BEGUN = "its turn was begun";

function isTrigger(gated: ChainEntry["gated"]): boolean {
  if (gated.kind !== "runnable") return false;
  const { run, event } = gated.normalForm;
  return run.type === "prompt" && eventRow(event).kind === "notice";
}

/** Where the whole of its text is, or that it is nowhere: the code says why. */
function longOf(name: string, { long = [] }: Occasion): { long?: string } {
  const files = long.flatMap((one) => (one.by === name ? ["file" in one ? one.file : one.lost] : []));
  return files.length === 0 ? {} : { long: files.join(" ") };
}

function toldOf({ decision: { decision, patch, forced } }: Occasion) {
  return {
    told: decision,
    ...(patch === undefined ? {} : { patched: true as const }),
    ...(forced === undefined ? {} : { forced }),
  };
}

/** Of an answer the first line will do; a failure is as often named by its last. */
function remark(stderr: string, isAnswer: boolean): string {
  return isAnswer ? (stderr.split("\n").find((text) => text.trim() !== "") ?? "") : textEnds(stderr);
}

const ASIDE_WORDS: Readonly<Record<NonNullable<ChainEntry["aside"]>, string>> = {
  spent: "it has answered once in this session",
  later: "it runs after the decision",
  repeated: "the same event was answered a moment ago",
};

/** Context that was told where nobody asked for it: what the turn of a trigger had said before. */
export function triggeredLine({ name, identity, state }: Approved, said: string, occasion: Occasion): JournalLine {
  return {
    ...common(occasion),
    ...{ handler: name, identity, state, matched: true },
    ...{ outcome: "answered", answer: "context", why: shown(said), ms: 0 },
    ...toldOf(occasion),
  };
}

function apartLine(apart: Apart, occasion: Occasion): JournalLine {
  const { name, identity, state, normalForm } = apart.handler;
  return {
    ...common(occasion),
    ...{ handler: name, identity, state, matched: apart.matched },
    ...(apart.matched
      ? { outcome: "skipped" as const, code: apart.why }
      : { outcome: "not-run" as const, why: shown(notMatched(normalForm.matcher, occasion.subjects)) }),
    ms: 0,
    ...toldOf(occasion),
  };
}

function notMatched(matcher: Matcher, subjects: readonly string[]): string {
  return `its matcher is ${matcherWords(matcher)}, and this is ${subjects.length > 0 ? subjects.join(", ") : "nothing that it could match"}`;
}

function ruleWords(gated: ChainEntry["gated"]): string | undefined {
  if (gated.kind !== "runnable") return undefined;
  const rules = gated.normalForm.if.map(({ tool, pattern }) => `${tool}(${pattern})`);
  return `it reacts only to ${rules.join(" or ")}`;
}

function shown(text: string): string {
  return cut(cleanText(text), MAX_DETAIL);
}
