import { type EventName, eventRow } from "../event.ts";
import { NESTED } from "./answer-table.ts";

/** Field → the values that it may have, or that it is a text. */
export type StrictFields = Readonly<Record<string, readonly unknown[] | "text">>;

const UNIVERSAL: StrictFields = {
  continue: [true, false],
  stopReason: "text",
  systemMessage: "text",
  suppressOutput: [true, false],
};
/** On calls of tools the universal fields are read, and refused where they would do something. */
const HARMLESS: StrictFields = { continue: [true], systemMessage: "text", suppressOutput: [false] };
const BLOCK: StrictFields = { decision: ["block"], reason: "text" };
const NAMED: StrictFields = { [`${NESTED}.hookEventName`]: "text" };
const CONTEXT: StrictFields = { ...NAMED, [`${NESTED}.additionalContext`]: "text" };

/** AstraCode's events, and those of the Codex that it came from; each may say this and nothing else. */
const STRICT_FIELDS: Readonly<Record<string, StrictFields>> = {
  PreToolUse: {
    ...HARMLESS,
    ...BLOCK,
    ...NAMED,
    [`${NESTED}.permissionDecision`]: ["deny"],
    [`${NESTED}.permissionDecisionReason`]: "text",
  },
  PermissionRequest: {
    ...HARMLESS,
    ...NAMED,
    [`${NESTED}.decision.behavior`]: ["allow", "deny"],
    [`${NESTED}.decision.message`]: "text",
    [`${NESTED}.decision.interrupt`]: [false],
  },
  PostToolUse: { ...UNIVERSAL, suppressOutput: [false], ...BLOCK, ...CONTEXT },
  UserPromptSubmit: { ...UNIVERSAL, ...BLOCK, ...CONTEXT },
  SessionStart: { ...UNIVERSAL, ...CONTEXT },
  SubagentStart: { ...UNIVERSAL, ...CONTEXT },
  Stop: { ...UNIVERSAL, ...BLOCK },
  SubagentStop: { ...UNIVERSAL, ...BLOCK },
  PreCompact: UNIVERSAL,
  PostCompact: UNIVERSAL,
  Interrupt: { systemMessage: "text" },
  SessionEnd: {},
};

/** What a strict answer may say. An event that those hosts don't have may say what its own row lets it, in the common fields. */
export function strictFields(event: EventName): StrictFields {
  if (Object.hasOwn(STRICT_FIELDS, event)) return STRICT_FIELDS[event] ?? {};
  const { kind, may } = eventRow(event);
  if (kind === "notice") return { systemMessage: "text" };
  return { ...UNIVERSAL, ...BLOCK, ...(may.includes("context") ? CONTEXT : NAMED) };
}

/** Where exit 2 with a reason on stderr acts under strict answers. */
export const STRICT_EXIT_2: ReadonlySet<string> = new Set(
  "UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop".split(" "),
);
/** Where plain text is no answer but a fault under strict answers. */
export const STRICT_NO_TEXT: ReadonlySet<string> = new Set(["Stop", "SubagentStop"]);
