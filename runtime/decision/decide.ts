import { type Decision, eventRow, type HandlerReport, type Payload, redact, type Verdict } from "@hookpkg/spec";
import type { ChainEntry, Chained } from "../chain/chain.ts";
import { UNKNOWN_IDENTITY } from "../gate/trust-view.ts";
import { contextBlock, personLine, type RefusalWords, reasonLine, refusalWords } from "./wording.ts";

/** Characters of context that one event may bring, all handlers together. */
const MAX_CONTEXT_CHARACTERS = 16_000;

export type Asked = { payload: Payload; canAsk: boolean; secrets: readonly string[] };

/** Handler → its state when something is wrong with it, null when it just answered: what a person is told once. */
export type Conditions = Readonly<Record<string, string | null>>;

export type Decided = {
  decision: Omit<Decision, "person">;
  person: readonly string[];
  conditions: Conditions;
  /** Whose refusal it was; nobody below the machine's policy has a way out of a managed one. */
  refusedBy?: { handler: string; managed: boolean };
  /** The first decision about the same event again: nothing of it is counted twice. */
  repeated?: true;
};

/**
 * Station 14: deny > ask > allow. A question that nobody can answer is a refusal. On a notice nothing is
 * decided. The words for the model say what was refused and why, never how a person could switch it off.
 */
export function decide(chained: Chained, { payload, canAsk, secrets }: Asked): Decided {
  const { entries } = chained;
  const isStage = eventRow(payload.hook_event_name).kind === "stage";
  const verdict = isStage ? verdictOf(entries, canAsk) : "continue";
  const isRefused = verdict === "cancel" || verdict === "end";
  const words = refusalWords(payload.hook_event_name);
  const reason = redact(reasonOf(entries, verdict, words), secrets);
  const context = isStage ? redact(contextOf(entries), secrets) : "";
  const decision: Decided["decision"] = {
    v: 1,
    decision: verdict,
    ...(verdict === "continue" ? {} : { reason }),
    ...(isStage && !isRefused && chained.patch ? { patch: chained.patch } : {}),
    ...(context === "" ? {} : { context }),
    handlers: entries.map(reportOf),
  };
  const person = isRefused ? entries.flatMap((entry) => refusalLine(entry, words)) : [];
  const refuser = verdict === "cancel" ? refuserOf(entries) : undefined;
  return {
    decision,
    person: person.map((line) => redact(line, secrets)),
    conditions: conditionsOf(entries, words),
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

function reasonOf(entries: readonly ChainEntry[], verdict: Verdict, words: RefusalWords): string {
  const lines = entries.flatMap(({ gated, effect }) => {
    if (effect.effect === "refused" && verdict === "end" && effect.by !== "end") return [];
    if (effect.effect === "refused")
      return "reason" in effect
        ? [reasonLine(gated.name, effect.reason)]
        : [reasonLine(gated.name, `this guard could not judge ${words.what} (${effect.cause}), so ${words.so}`)];
    if (effect.effect === "asked" && verdict !== "allow") return [reasonLine(gated.name, effect.reason)];
    return effect.effect === "allowed" && verdict === "allow" ? [reasonLine(gated.name, effect.reason)] : [];
  });
  const isUnasked = verdict === "cancel" && !entries.some(({ effect }) => effect.effect === "refused");
  return [
    ...new Set(lines),
    ...(isUnasked ? ["A person's approval was needed, and nobody can be asked here."] : []),
  ].join("\n");
}

function contextOf(entries: readonly ChainEntry[]): string {
  let room = MAX_CONTEXT_CHARACTERS;
  const blocks = entries.flatMap(({ gated, outcome }) => {
    const text = outcome?.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : undefined;
    if (!text?.trim() || gated.kind !== "runnable" || room <= 0) return [];
    const block = contextBlock(gated.name, text, Math.min(gated.normalForm.outputLimit, room));
    room -= block.length;
    return [block];
  });
  return blocks.join("\n\n");
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
