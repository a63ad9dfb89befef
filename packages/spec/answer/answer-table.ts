import type { AnswerCode } from "../faults.ts";

/** How a command ended, as far as its answer goes. */
export type ExitKind = "0" | "2" | "other" | "signal";

/** What its stdout is. `last-line`: text whose last line is an object with a known field. */
export type OutputKind =
  | "empty"
  | "object"
  | "last-line"
  | "text"
  | "unknown-object"
  | "array"
  | "broken"
  | "duplicate-key"
  | "not-utf8"
  | "too-large";

/** What a row makes of it: see the sentence of the row. */
export type Reading = "deny" | "continue" | "object" | "text" | "exit-2" | AnswerCode;

export type AnswerRow = {
  exit: "any" | ExitKind;
  stdout: "any" | "a well-formed deny" | readonly OutputKind[];
  reads: Reading;
  /** For the documentation. */
  says: string;
};

/** Where plain text is context. */
export const TEXT_EVENTS: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit", "SubagentStart"]);

/** THE answer table: the first row that fits. The parser walks it, the documentation prints it. */
export const ANSWER_TABLE: readonly AnswerRow[] = [
  { exit: "any", stdout: "a well-formed deny", reads: "deny", says: "cancel, whatever the exit code" },
  {
    exit: "2",
    stdout: "any",
    reads: "exit-2",
    says: "cancel: the JSON's reason, else stderr, else stdout, else a sentence naming the handler; an allow does not lift it; on a notice failed (`E_ANSWER_EXIT`)",
  },
  { exit: "0", stdout: ["empty"], reads: "continue", says: "no opinion; {} is the same" },
  { exit: "0", stdout: ["object"], reads: "object", says: "what its fields say" },
  { exit: "0", stdout: ["last-line"], reads: "object", says: "what the last line says, with a warning" },
  {
    exit: "0",
    stdout: ["text"],
    reads: "text",
    says: `context on ${[...TEXT_EVENTS].join(", ")}; elsewhere no decision: the action passes, and the person is told`,
  },
  { exit: "0", stdout: ["unknown-object"], reads: "E_ANSWER_UNKNOWN", says: "failed" },
  { exit: "0", stdout: ["array"], reads: "E_ANSWER_ARRAY", says: "failed" },
  { exit: "0", stdout: ["broken"], reads: "E_ANSWER_NOT_JSON", says: "failed" },
  { exit: "0", stdout: ["duplicate-key"], reads: "E_ANSWER_DUPLICATE_KEY", says: "failed" },
  { exit: "0", stdout: ["not-utf8"], reads: "E_ANSWER_NOT_UTF8", says: "failed" },
  { exit: "0", stdout: ["too-large"], reads: "E_ANSWER_TOO_LARGE", says: "failed" },
  { exit: "signal", stdout: "any", reads: "E_ANSWER_SIGNAL", says: "failed" },
  { exit: "other", stdout: "any", reads: "E_ANSWER_EXIT", says: "failed; an allow or a patch counts with exit 0 only" },
];

/** What a decision field's value means. `stop` is `continue: false`. */
export type Meaning = "deny" | "allow" | "ask" | "patch" | "end" | "stop" | "none";

export type AnswerField =
  | { is: "decision"; values: Readonly<Record<string, Meaning>>; reason: string }
  | { is: "reason" | "context" | "shown" }
  | { is: "patch"; field: string }
  | { is: "fields" | "event" | "ignored" };

/** The object that holds an event's own fields. */
export const NESTED = "hookSpecificOutput";

/** Every known field by its path; `reason` of a decision names the field that carries its own reason. */
export const ANSWER_FIELDS: Readonly<Record<string, AnswerField>> = {
  decision: {
    is: "decision",
    values: { block: "deny", deny: "deny", approve: "allow", allow: "allow" },
    reason: "reason",
  },
  reason: { is: "reason" },
  continue: { is: "decision", values: { true: "none", false: "stop" }, reason: "stopReason" },
  stopReason: { is: "reason" },
  systemMessage: { is: "shown" },
  suppressOutput: { is: "ignored" },
  [`${NESTED}.hookEventName`]: { is: "event" },
  [`${NESTED}.permissionDecision`]: {
    is: "decision",
    values: { allow: "allow", deny: "deny", ask: "ask" },
    reason: `${NESTED}.permissionDecisionReason`,
  },
  [`${NESTED}.permissionDecisionReason`]: { is: "reason" },
  [`${NESTED}.updatedInput`]: { is: "patch", field: "tool_input" },
  [`${NESTED}.updatedToolOutput`]: { is: "patch", field: "tool_response" },
  [`${NESTED}.additionalContext`]: { is: "context" },
  [`${NESTED}.decision.behavior`]: {
    is: "decision",
    values: { allow: "allow", deny: "deny" },
    reason: `${NESTED}.decision.message`,
  },
  [`${NESTED}.decision.message`]: { is: "reason" },
  answer: {
    is: "decision",
    values: {
      continue: "none",
      context: "none",
      cancel: "deny",
      patch: "patch",
      ask: "ask",
      allow: "allow",
      end: "end",
    },
    reason: "reason",
  },
  fields: { is: "fields" },
  context: { is: "context" },
};

/** Where `continue: false` ends the turn for good; on other stages it is a cancel. */
export const END_EVENTS: ReadonlySet<string> = new Set(["Stop", "SubagentStop"]);

/** Decisions of other hosts and former versions: unknown here, but an answer that has one was not meant as "no opinion". */
export const FOREIGN_DECISIONS: readonly string[] =
  "permission cancel block deny allow ok action modifiedArgs overrideInput updated_input tool_input updatedMCPToolOutput updatedPermissions modifiedPrompt followup_message llm_request llm_response".split(
    " ",
  );
