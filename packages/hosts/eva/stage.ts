import { type EventName, eventRow, foldEvent } from "@hookpkg/spec";

/** Stages of Eva's own that have another name among our events. */
const EVA_STAGES = { "tool.call": "PreToolUse", "tool.result": "PostToolUse" } as const satisfies Record<
  string,
  EventName
>;

/** The stage at which Eva would ask about an event; undefined where it has none: other hosts' events, and what is only told. */
export function evaStage(event: EventName): string | undefined {
  const own = Object.entries(EVA_STAGES).find(([, ours]) => ours === event);
  if (own !== undefined) return own[0];
  return event.includes(".") && eventRow(event).kind === "stage" ? event : undefined;
}

/** The event of a stage, or of one of Eva's notices; undefined when Eva has none of that name. */
export function evaEvent(stage: string): EventName | undefined {
  if (Object.hasOwn(EVA_STAGES, stage)) return EVA_STAGES[stage as keyof typeof EVA_STAGES]; // hasOwn says so
  return stage.includes(".") && foldEvent(stage) === stage ? (stage as EventName) : undefined; // folded to itself: a name
}
