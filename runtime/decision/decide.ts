import {
  DEFAULT_OUTPUT_LIMIT,
  type Decision,
  eventRow,
  type HandlerName,
  type HandlerReport,
  type Payload,
  redact,
  type Verdict,
} from "@hookpkg/spec";
import type { ChainEntry, Chained } from "../chain/chain.ts";
import { UNKNOWN_IDENTITY } from "../gate/runnable.ts";
import { cleanText, personLine, type RefusalWords, refusalWords } from "./wording.ts";

export type Asked = { payload: Payload; canAsk: boolean; secrets: readonly string[] };

/** Handler → its state when something is wrong with it, null when it just answered: what a person is told once. */
export type Conditions = Readonly<Record<string, string | null>>;

/** A text that was not shown whole: who said it, and the file with all of it or the code of why there is none. */
export type Long = { by: string } & ({ file: string } | { lost: string });

export type Decided = {
  decision: Omit<Decision, "person">;
  person: readonly string[];
  conditions: Conditions;
  /** Whose refusal it was; nobody below the machine's policy has a way out of a managed one. */
  refusedBy?: { handler: string; managed: boolean };
  /** The first decision about the same event again: nothing of it is counted twice. */
  repeated?: true;
  /** Texts that the agent did not get whole. */
  long: readonly Long[];
  /** Handler → text that it printed where that is no decision: a guard may have meant it as one. */
  printed: Readonly<Record<string, string>>;
};

/**
 * A text for the agent, clean, without secrets, and whole. `by`: the handler that said it, else it is ours; `limit`: how many characters of
 * it the handler may bring.
 */
export type Said = { lane: "reason" | "context"; by?: HandlerName; text: string; limit: number };

/** A decision whose words still have to fit where they go. */
export type Concluded = Omit<Decided, "decision" | "long"> & {
  decision: Omit<Decision, "person" | "reason" | "context">;
  said: readonly Said[];
};

/**
 * Station 14: deny > ask > allow. A question that nobody can answer is a refusal. On a notice nothing is
 * decided. The words for the model say what was refused and why, never how a person could switch it off.
 */
export function decide(chained: Chained, { payload, canAsk, secrets }: Asked): Concluded {
  const { entries } = chained;
  const isStage = eventRow(payload.hook_event_name).kind === "stage";
  const verdict = isStage ? verdictOf(entries, canAsk) : "continue";
  const isRefused = verdict === "cancel" || verdict === "end";
  const words = refusalWords(payload.hook_event_name);
  const said = [...reasonsOf(entries, verdict, words), ...(isStage ? contextsOf(entries) : [])];
  const decision: Concluded["decision"] = {
    v: 1,
    decision: verdict,
    ...(isStage && !isRefused && chained.patch ? { patch: chained.patch } : {}),
    handlers: entries.map(reportOf),
  };
  const refusals = isRefused ? entries.flatMap((entry) => refusalLine(entry, words)) : [];
  const person = [...refusals, ...new Set(entries.flatMap(messageLine))];
  const refuser = verdict === "cancel" ? refuserOf(entries) : undefined;
  return {
    decision,
    // Cleaned first: a secret with a sign in it that nobody sees is one again without it.
    said: distinct(said.map((each) => ({ ...each, text: redact(cleanText(each.text).trim(), secrets) }))),
    person: person.map((line) => redact(line, secrets)),
    conditions: conditionsOf(entries, words),
    printed: printedBy(entries),
    ...(refuser === undefined ? {} : { refusedBy: refuser }),
  };
}

/** Who asked, where nobody could be. */
function refuserOf(entries: readonly ChainEntry[]): Decided["refusedBy"] {
  const by = (effect: string) => entries.find((entry) => entry.effect.effect === effect)?.gated;
  const gated = by("refused") ?? by("asked");
  if (gated === undefined) return undefined;
  const managed = gated.kind === "held" ? gated.project === "managed" : gated.state === "managed";
  return { handler: gated.name, managed };
}

function verdictOf(entries: readonly ChainEntry[], canAsk: boolean): Verdict {
  const effects = entries.map((entry) => entry.effect);
  if (effects.some((effect) => effect.effect === "refused" && effect.by === "end")) return "end";
  if (effects.some((effect) => effect.effect === "refused")) return "cancel";
  if (effects.some((effect) => effect.effect === "asked")) return canAsk ? "ask" : "cancel";
  return effects.some((effect) => effect.effect === "allowed") ? "allow" : "continue";
}

function reasonsOf(entries: readonly ChainEntry[], verdict: Verdict, words: RefusalWords): Said[] {
  const reasons = entries.flatMap(({ gated, effect }) => {
    const limit = gated.kind === "runnable" ? gated.normalForm.outputLimit : DEFAULT_OUTPUT_LIMIT;
    const said = (text: string): Said[] => [{ lane: "reason", by: gated.name, text, limit }];
    if (effect.effect === "refused" && verdict === "end" && effect.by !== "end") return [];
    if (effect.effect === "refused")
      return "reason" in effect
        ? said(effect.reason)
        : said(`this guard could not judge ${words.what} (${effect.cause}), so ${words.so}`);
    if (effect.effect === "asked" && verdict !== "allow") return said(effect.reason);
    return effect.effect === "allowed" && verdict === "allow" ? said(effect.reason) : [];
  });
  const isUnasked = verdict === "cancel" && !entries.some(({ effect }) => effect.effect === "refused");
  return isUnasked ? [...reasons, { lane: "reason", text: UNASKED, limit: DEFAULT_OUTPUT_LIMIT }] : reasons;
}

const UNASKED = "A person's approval was needed, and nobody can be asked here.";

function contextsOf(entries: readonly ChainEntry[]): Said[] {
  return entries.flatMap(({ gated, outcome }) => {
    const text = outcome?.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : undefined;
    if (!text?.trim() || gated.kind !== "runnable") return [];
    return [{ lane: "context", by: gated.name, text, limit: gated.normalForm.outputLimit }];
  });
}

/** What one guard says of a call and again of the same call as patched is a reason once. */
function distinct(said: readonly Said[]): Said[] {
  const isFirst = ({ lane, by, text }: Said, n: number) =>
    lane !== "reason" || said.findIndex((one) => one.lane === lane && one.by === by && one.text === text) === n;
  return said.filter(isFirst);
}

function reportOf({ gated, matched, outcome, recheck }: ChainEntry): HandlerReport {
  return {
    handler: gated.name,
    identity: gated.identity ?? UNKNOWN_IDENTITY,
    state: gated.kind === "held" ? "held" : gated.state,
    matched,
    ...(outcome ? { outcome: outcome.outcome } : {}),
    ...(outcome && "why" in outcome ? { why: outcome.why } : {}),
    ...(outcome?.outcome === "answered" ? { answer: outcome.answer.answer } : {}),
    ...(recheck ? { recheck } : {}),
    ms: Math.round((outcome?.ms ?? 0) * 10) / 10,
  };
}

function refusalLine({ gated, effect }: ChainEntry, words: RefusalWords): string[] {
  if (effect.effect !== "refused" || !("reason" in effect)) return [];
  const verb = effect.by === "end" ? "ended by" : words.by;
  return [personLine(`hookpkg: ${verb} ${gated.name}: ${effect.reason}`)];
}

/** What it says to the person, each time: as the handler's, never as ours. */
function messageLine({ gated, outcome }: ChainEntry): string[] {
  const text = outcome?.outcome === "answered" ? outcome.answer.shown : undefined;
  return text?.trim() ? [personLine(`hook ${gated.name}: ${text}`)] : [];
}

function printedBy(entries: readonly ChainEntry[]): Decided["printed"] {
  const texts = entries.flatMap(({ gated, outcome }) => {
    const text = outcome?.outcome === "answered" ? outcome.answer.printed : undefined;
    return text === undefined ? [] : [[gated.name, text] as const];
  });
  return Object.fromEntries(texts);
}

function conditionsOf(entries: readonly ChainEntry[], words: RefusalWords): Conditions {
  const conditions: Record<string, string | null> = {};
  for (const { gated, outcome, effect } of entries) {
    if (outcome === undefined || outcome.outcome === "not-reached") continue;
    const isWell = outcome.outcome === "answered";
    const what = effect.effect === "refused" ? words.state : "passed";
    if (!isWell) conditions[gated.name] = `${outcome.outcome} ${outcome.why} ${what}`;
    else conditions[gated.name] ??= null;
  }
  return conditions;
}
