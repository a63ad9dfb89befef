import { faultTable } from "@hookpkg/fault";

/** Why an answer counts for nothing: each cause apart, because the fail mode makes it the person's business. */
const ANSWER_FAULTS = {
  E_ANSWER_EXIT: "the handler ended with an exit code that says nothing",
  E_ANSWER_SIGNAL: "the handler was ended by a signal",
  E_ANSWER_NOT_JSON: "the answer is neither one JSON object nor plain text",
  E_ANSWER_ARRAY: "the answer is a JSON array, not an object",
  E_ANSWER_DUPLICATE_KEY: "a key stands twice in the answer",
  E_ANSWER_NOT_UTF8: "the answer is not UTF-8 text",
  E_ANSWER_TOO_LARGE: "the answer is too large or nested too deeply",
  E_ANSWER_UNKNOWN: "the answer has no field that hookpkg knows",
  E_ANSWER_VALUE: "a field of the answer has a value that it cannot have",
  E_ANSWER_PLACE: "the answer has what looks like a decision, under a wrong name or in a wrong place",
  E_ANSWER_DISAGREE: "the answer holds two decisions that disagree",
  E_ANSWER_EVENT: "the answer names another event than the one it answers",
  E_ANSWER_STRICT: "the answer says what strict answers cannot say",
  E_ANSWER_STRICT_STDERR: "exit 2 without a reason on stderr says nothing under strict answers",
  E_ANSWER_PATCH_FIELD: "the answer patches a field that this event does not let be patched",
  E_ANSWER_PATCH_EMPTY: "the answer patches nothing",
  E_ANSWER_PATCH_SHAPE: "the patched call has not the shape of its tool",
  E_NOT_DECLARED: "the answer is one that the handler may not give",
} as const;

export type AnswerCode = keyof typeof ANSWER_FAULTS;

export const refuse = faultTable({
  ...ANSWER_FAULTS,
  E_JSON: "this is not JSON",
  E_JSON_TOO_LARGE: "this JSON document is too large",
  E_JSON_TOO_DEEP: "this JSON document is nested too deeply",
  E_JSON_DUPLICATE_KEY: "a key stands twice in one JSON object",
  E_TOML: "this is not TOML",
  E_JSON_NOT_UTF8: "this is not UTF-8 text",
  E_CANONICAL: "this document is not in canonical form",
  E_CANONICAL_NUMBER: "only integers up to 2^53-1 may stand in a signed document",
  E_NAME: "this is not a package name",
  E_SCOPE: "this is not a scope",
  E_NAME_RESERVED: "this name is reserved",
  E_VERSION: "this is not a version",
  E_RANGE: "this is not a version range",
  E_DIGEST: "this is not a sha256 digest",
  E_INTEGRITY: "this is not one sha512 integrity",
  E_PACKAGE_INVALID: "the package has faults",
  E_PROJECT_FILE: "the project file has faults",
  E_LOCK_FILE: "the lock has faults",
  E_STATE_FILE: "a file of hookpkg's own has faults",
  E_PAYLOAD: "the event is not one that hookpkg knows how to read",
  E_MATCHER_REGEX: "the matcher is neither names nor an RE2 expression",
  E_TOOL_SHAPE: "the tool's input has not the shape of this tool",
  E_PATCH_UNREADABLE: "the patch of this tool call cannot be read",
});
