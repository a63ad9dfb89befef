import type { Decision, JournalLine, Payload } from "@hookpkg/spec";
import type { ChainEntry } from "../chain/chain.ts";
import { cleanText, cut } from "../decision/wording.ts";
import { UNKNOWN_IDENTITY } from "../gate/trust-view.ts";

const MAX_DETAIL = 500;

/** Station 15: one line for each considered handler of one event. */
export function journalLines(
  entries: readonly ChainEntry[],
  about: { payload: Payload; host: string; at: string; decision: Decision["decision"] },
): JournalLine[] {
  return entries.map((entry) => lineOf(entry, about));
}

function lineOf(
  { gated, matched, outcome }: ChainEntry,
  { payload, host, at, decision }: Parameters<typeof journalLines>[1],
): JournalLine {
  const why = outcome && "detail" in outcome ? outcome.detail : undefined;
  const answered = outcome?.outcome === "answered" ? outcome.answer : undefined;
  const reason = answered && "reason" in answered ? answered.reason : undefined;
  return {
    v: 1,
    at,
    session: payload.session_id,
    turn: payload.turn_id ?? null,
    host,
    event: payload.hook_event_name,
    ...(payload.tool_name === undefined ? {} : { tool: payload.tool_name }),
    handler: gated.name,
    identity: gated.identity ?? UNKNOWN_IDENTITY,
    state: gated.kind === "held" ? "held" : gated.state,
    matched,
    outcome: outcome?.outcome ?? "not-run",
    ...(answered ? { answer: answered.answer } : {}),
    ...(why === undefined && reason === undefined ? {} : { why: shown(reason ?? why ?? "") }),
    ...(outcome && "why" in outcome ? { code: outcome.why } : {}),
    ...(outcome?.stderr ? { stderr: shown(outcome.stderr.split("\n")[0] ?? "") } : {}),
    ms: Math.round((outcome?.ms ?? 0) * 10) / 10,
    told: decision,
  };
}

function shown(text: string): string {
  return cut(cleanText(text), MAX_DETAIL);
}
