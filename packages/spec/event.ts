import { EVENTS, type EventRow, OPEN_NOTICE, OPEN_STAGE } from "./event-table.ts";
import { nearest, oneEdit } from "./problem.ts";

export { EVENTS, type EventRow, type MatchSubject, NOTICE_TIMEOUT_MS } from "./event-table.ts";

export type KnownEvent = keyof typeof EVENTS;
/** A known event, or by its form `custom.<name>`, `skill.<name>` or a stage that a host declares. */
export type EventName = KnownEvent | `${string}.${string}`;

export const EVENT_NAMES = Object.keys(EVENTS) as KnownEvent[]; // keys of the literal

const MAX_EVENT_NAME = 100;
const OPEN = /^[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+$/;
const OPEN_NOTICES = ["custom", "skill"];

export function isKnownEvent(name: string): name is KnownEvent {
  return Object.hasOwn(EVENTS, name);
}

/** An alias is no name: what was read and stored has the one name that the chain goes by. */
export function isEventName(name: string): name is EventName {
  return isKnownEvent(name) || (name.length <= MAX_EVENT_NAME && OPEN.test(name) && !folded.has(name));
}

/** What handlers, people and embedders may tell: everything else is a host's to tell. */
export type CustomEvent = `custom.${string}`;

export function isCustomEvent(name: string): name is CustomEvent {
  return name.startsWith("custom.") && isEventName(name);
}

export function eventRow(event: EventName): EventRow {
  if (isKnownEvent(event)) return EVENTS[event];
  return OPEN_NOTICES.some((first) => event.startsWith(`${first}.`)) ? OPEN_NOTICE : OPEN_STAGE;
}

const folded = new Map<string, KnownEvent>(
  EVENT_NAMES.flatMap((name) =>
    [name, camel(name), snake(name), ...EVENTS[name].aliases].map((one) => [one, name] as const),
  ),
);

/** The event of a name or alias, a name of open form as it is; undefined when it can be none. */
export function foldEvent(spelling: string): EventName | undefined {
  return folded.get(spelling) ?? (isEventName(spelling) ? spelling : undefined);
}

/**
 * What an author most likely meant by a name that no host fires: a wrong case, or a slip in a name with dots, which would otherwise
 * pass as a stage that some host declares. `chat.create` beside `chat.created` is no slip: stages are asked, notices told.
 */
export function meantEvent(spelling: string): string | undefined {
  if (folded.has(spelling)) return undefined;
  if (!isEventName(spelling)) {
    const lower = spelling.toLowerCase();
    return /^(custom|skill)\./.test(lower) && isEventName(lower) ? lower : nearest(spelling, [...folded.keys()]);
  }
  const [first = "", ...rest] = spelling.split(".");
  if (OPEN_NOTICES.includes(first)) return undefined;
  const open = OPEN_NOTICES.find((known) => oneEdit(first, known));
  if (open) return [open, ...rest].join(".");
  return [...folded.keys()].find(
    (known) => known.includes(".") && known !== `${spelling}d` && oneEdit(spelling, known),
  );
}

function camel(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** `BeforeMCPExecution` is `before_mcp_execution`. */
function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3_$2").toLowerCase();
}
