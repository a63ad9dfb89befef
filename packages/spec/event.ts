import type { May } from "./answer.ts";

/** What the matcher of an event is tested against; `null`: the event ignores matchers. */
export type MatchSubject = "tool" | "reason" | null;

export type EventRow = {
  /** A stage waits for its handlers, a notice doesn't. */
  kind: "stage" | "notice";
  /** What its handlers may be given to answer, and what they may when the handler names nothing. */
  may: readonly May[];
  defaultMay: readonly May[];
  matches: MatchSubject;
  /** Payload fields that a patch may name. */
  patchable: readonly string[];
  defaultTimeoutMs: number;
  /** Other spellings, folded when a package is read. This table may only gain rows. */
  aliases: readonly string[];
};

export const EVENTS = {
  PreToolUse: {
    kind: "stage",
    may: ["cancel", "ask", "patch", "context", "allow"],
    defaultMay: ["cancel", "ask"],
    matches: "tool",
    patchable: ["tool_input"],
    defaultTimeoutMs: 10_000,
    aliases: ["tool.call", "BeforeTool", "preToolUse", "pre_tool_use"],
  },
  PostToolUse: {
    kind: "stage",
    may: ["cancel", "context", "patch"],
    defaultMay: ["cancel", "context"],
    matches: "tool",
    patchable: ["tool_response"],
    defaultTimeoutMs: 10_000,
    aliases: ["tool.result", "AfterTool", "postToolUse", "post_tool_use"],
  },
  SessionEnd: {
    kind: "notice",
    may: [],
    defaultMay: [],
    matches: "reason",
    patchable: [],
    defaultTimeoutMs: 1_000,
    aliases: ["sessionEnd", "session_end"],
  },
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]; // keys of the literal above

const folded = new Map<string, EventName>(
  EVENT_NAMES.flatMap((name) => [name, ...EVENTS[name].aliases].map((spelling) => [spelling, name] as const)),
);

/** The event of a name or alias; undefined when it is none that we know. */
export function foldEvent(spelling: string): EventName | undefined {
  return folded.get(spelling);
}

export function eventRow(event: EventName): EventRow {
  return EVENTS[event];
}
