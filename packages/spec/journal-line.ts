import type { AnswerKind, OutcomeKind } from "./answer.ts";
import type { Identity } from "./digest.ts";
import type { EventName } from "./event.ts";
import type { HandlerName } from "./name.ts";

/** Why a handler runs or doesn't. */
export type TrustState = "managed" | "trusted" | "modified" | "untrusted" | "revoked" | "held";

/** One line of the journal: what was considered for one event, by one handler; what the host was told. */
export type JournalLine = {
  v: 1;
  /** RFC 3339, UTC. */
  at: string;
  session: string;
  turn: string | null;
  host: string;
  event: EventName;
  /** Who told a notice that no host did: a handler's name, `hookpkg emit`, or a bridge's. */
  by?: string;
  tool?: string;
  handler: HandlerName;
  identity: Identity;
  state: TrustState;
  matched: boolean;
  outcome: OutcomeKind | "not-run";
  answer?: AnswerKind;
  why?: string;
  code?: string;
  stderr?: string;
  ms: number;
  denied?: readonly string[];
  /** Its text was too long to be shown whole: the file with all of it, or the code of why there is none. */
  long?: string;
  /** A question that was answered here is what came of it. */
  told: string;
  /** Fields of the event were rewritten with it. */
  patched?: true;
  /** The agent's stop was let through against the handlers' wish: they had kept it going too often. */
  forced?: true;
};
