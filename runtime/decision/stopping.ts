import type { EventName, Payload, Session } from "@hookpkg/spec";
import { isStop } from "../chain/chain.ts";
import type { Home } from "../home.ts";
import { changeSession, readSession } from "../person/sessions.ts";
import type { Decided } from "./decide.ts";
import { personLine } from "./wording.ts";

/** An agent is kept from stopping this often in a row, and in one turn whatever happens between. */
export const MAX_KEPT_IN_A_ROW = 8;
export const MAX_KEPT_IN_A_TURN = 16;
const MAX_AGENTS = 50;

/** Beside stops themselves: what ends a row, and what begins a turn. */
const COUNTED: readonly EventName[] = ["PreToolUse", "UserPromptSubmit"];

type Stops = NonNullable<Session["stops"]>;

/**
 * The decision about a stop with an end to it: handlers that keep an agent going too often are overruled, and the decision says so
 * (`forced`). Other events only move the counts: a tool call ends a row, a person's words begin a turn where the host names none.
 */
export async function limitStops(home: Home, host: string, payload: Payload, decided: Decided): Promise<Decided> {
  if (!isStop(payload) && !COUNTED.includes(payload.hook_event_name)) return decided;
  const id = { host, session: payload.session_id };
  const before = readSession(home, host, payload.session_id)?.stops ?? {};
  const isKept = isStop(payload) && decided.decision.decision === "cancel";
  if (countStop(before, payload, isKept).stops === before) return decided;
  let isForced = false;
  try {
    await changeSession(home, id, (session) => {
      if (session === undefined) throw new Error("the session was never seen");
      const counted = countStop(session.stops ?? {}, payload, isKept);
      isForced = counted.isForced;
      return { ...session, stops: counted.stops };
    });
  } catch (error) {
    if (!isKept || payload.stop_hook_active !== true) throw error;
    isForced = true; // nobody can count, and this is not the first time: an agent that never stops is the worse end
  }
  return isForced ? forced(decided) : decided;
}

/** The same counts when nothing changes. */
export function countStop(stops: Stops, payload: Payload, isKept: boolean): { stops: Stops; isForced: boolean } {
  if (!isStop(payload)) return { stops: otherEvent(stops, payload), isForced: false };
  const key = `${payload.hook_event_name} ${payload.agent_id ?? ""}`;
  const turn = payload.turn_id || payload.prompt_id || null;
  const known = stops[key];
  const { spoken, ...now } = known?.turn === turn ? known : { turn, row: 0, turnCount: 0, spoken: undefined };
  if (spoken && payload.stop_hook_active !== true) [now.row, now.turnCount] = [0, 0];
  if (!isKept) {
    if (known === undefined) return { stops, isForced: false };
    return {
      stops: put(stops, key, { ...now, row: 0, turnCount: turn === null ? 0 : now.turnCount }),
      isForced: false,
    };
  }
  if (now.row < MAX_KEPT_IN_A_ROW && now.turnCount < MAX_KEPT_IN_A_TURN)
    return { stops: put(stops, key, { ...now, row: now.row + 1, turnCount: now.turnCount + 1 }), isForced: false };
  // It stops now: where nothing tells one turn from the next, what follows is another one.
  return { stops: put(stops, key, { ...now, row: 0, turnCount: turn === null ? 0 : now.turnCount }), isForced: true };
}

function otherEvent(stops: Stops, { hook_event_name: event, prompt }: Payload): Stops {
  const entries = Object.entries(stops);
  // Not yet a turn: a host may submit the very reason for which its agent goes on, and says so at the next stop only.
  if (
    event === "UserPromptSubmit" &&
    prompt?.trim() &&
    entries.some(([, { turn, spoken }]) => turn === null && !spoken)
  )
    return Object.fromEntries(
      entries.map(([key, counted]) => [key, counted.turn === null ? { ...counted, spoken: true } : counted]),
    );
  if (event === "PreToolUse" && entries.some(([, { row }]) => row > 0))
    return Object.fromEntries(entries.map(([key, counted]) => [key, { ...counted, row: 0 }]));
  return stops;
}

function put(stops: Stops, key: string, counted: Stops[string]): Stops {
  const { [key]: _, ...others } = stops;
  return Object.fromEntries([...Object.entries(others).slice(1 - MAX_AGENTS), [key, counted]]);
}

function forced(decided: Decided): Decided {
  const { reason: _, ...decision } = decided.decision;
  const by = decided.refusedBy?.handler ?? "a hook";
  return {
    ...decided,
    decision: { ...decision, decision: "continue", forced: true },
    person: [personLine(`hookpkg: kept going too often and stopped now, against ${by}`)],
  };
}
