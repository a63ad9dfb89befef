import { z } from "zod";
import type { AnswerKind, May } from "./answer.ts";
import { type EventName, type EventRow, eventRow, isKnownEvent } from "./event.ts";

/** What may be said at an event, one kind a right; `end` is covered by `cancel`. */
export function answerKinds({ may }: EventRow): AnswerKind[] {
  const asked = (right: May, ...kinds: AnswerKind[]) => (may.includes(right) ? kinds : []);
  return [
    "continue",
    ...asked("cancel", "cancel", "end"),
    ...asked("patch", "patch"),
    ...asked("ask", "ask"),
    ...asked("allow", "allow"),
    ...asked("context", "context"),
  ];
}

/**
 * What an answer to this event may hold, in the plain form and in the one that hosts share. It is for authors and their editors: the
 * answer table reads more, and forgives more.
 */
export function answerSchema(event: EventName): z.ZodType {
  const row = eventRow(event);
  const [first = "continue", ...kinds] = answerKinds(row);
  const cancels = row.may.includes("cancel");
  const fields = patchFields(row);
  return z.strictObject({
    answer: z.enum([first, ...kinds]).optional(),
    reason: z.string().optional(),
    ...(fields ? { fields } : {}),
    ...(row.may.includes("context") ? { context: z.string().optional() } : {}),
    ...(cancels ? { decision: verdicts(row, ["block", "deny"], ["approve", "allow"]).optional() } : {}),
    continue: (cancels ? z.boolean() : z.literal(true)).optional(),
    ...(cancels ? { stopReason: z.string().optional() } : {}),
    systemMessage: z.string().optional(),
    suppressOutput: z.boolean().optional(),
    ...(row.kind === "stage" ? { hookSpecificOutput: nested(event, row).optional() } : {}),
  });
}

function nested(event: EventName, row: EventRow) {
  const isCall = row.matches === "tool" && row.patchable.every((field) => field === "tool_input");
  const permission = event !== "PermissionRequest" && (isCall || row.may.includes("ask"));
  const values = verdicts(row, ["deny"], ["allow"], ["ask"]);
  const behavior = verdicts(row, ["deny"], ["allow"]);
  return z.strictObject({
    hookEventName: isKnownEvent(event) ? z.literal(event) : z.string(),
    ...(permission ? { permissionDecision: values.optional(), permissionDecisionReason: z.string().optional() } : {}),
    ...(event === "PermissionRequest"
      ? { decision: z.strictObject({ behavior, message: z.string().optional() }).optional() }
      : {}),
    ...(row.patchable.includes("tool_input") ? { updatedInput: toolInput().optional() } : {}),
    ...(row.patchable.includes("tool_response") ? { updatedToolOutput: z.unknown().optional() } : {}),
    ...(row.may.includes("context") ? { additionalContext: z.string().optional() } : {}),
  });
}

function verdicts(row: EventRow, denies: string[], allows: string[], asks: string[] = []) {
  const right = (may: May, words: string[]) => (row.may.includes(may) ? words : []);
  return z.enum([...right("cancel", denies), ...right("allow", allows), ...right("ask", asks)]);
}

function patchFields(row: EventRow) {
  if (row.patchable.length === 0) return undefined;
  const shape = Object.fromEntries(row.patchable.map((field) => [field, patched(field).optional()]));
  return z.strictObject(shape).refine(isNotEmpty, "at least one field").meta({ minProperties: 1 }).optional();
}

function patched(field: string): z.ZodType {
  if (field === "tool_input") return toolInput();
  return field === "prompt" || field === "error" ? z.string() : z.unknown();
}

/** Keys of the tool's hook shape; `{}` patches nothing and is refused. */
function toolInput() {
  return z.looseObject({}).refine(isNotEmpty, "at least one key").meta({ minProperties: 1 });
}

function isNotEmpty(value: object): boolean {
  return Object.keys(value).length > 0;
}
