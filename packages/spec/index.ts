export type { AnswerRead } from "./answer/answer-object.ts";
export {
  type CommandEnd,
  readCommandAnswer,
  readModuleAnswer,
} from "./answer/answer-parser.ts";
export { ANSWER_FIELDS, ANSWER_TABLE } from "./answer/answer-table.ts";
export { MAX_STDOUT_BYTES } from "./answer/command-output.ts";
export { checkMay } from "./answer/declared-answer.ts";
export { applyPatch } from "./answer/patched-payload.ts";
export * from "./answer.ts";
export * from "./apply-patch.ts";
export * from "./canonical.ts";
export * from "./capability.ts";
export * from "./cli.ts";
export * from "./decision.ts";
export { DEFAULT_OUTPUT_LIMIT } from "./declared-handlers.ts";
export * from "./digest.ts";
export * from "./event.ts";
export { answerKinds, answerSchema } from "./event-answer.ts";
export { inputSchema } from "./event-input.ts";
export type * from "./event-payload.ts";
export type { AnswerCode } from "./faults.ts";
export * from "./frames.ts";
export * from "./handler.ts";
export { type HandlerEntry, HOOKS_FILE, MAX_TIMEOUT_S } from "./hooks-file.ts";
export { fillHeader, isOurHeader } from "./http-run.ts";
export * from "./journal-line.ts";
export * from "./json.ts";
export * from "./lock.ts";
export { MANIFEST_FILE, type Manifest, type OptionSpec, type OptionValue, optionValue } from "./manifest.ts";
export * from "./matcher.ts";
export * from "./name.ts";
export * from "./net-name.ts";
export * from "./package.ts";
export { type PackageCase, packageCases } from "./package-case.ts";
export * from "./paper.ts";
export * from "./payload.ts";
export { parsePermissionRule, permits } from "./permission-rule.ts";
export * from "./placeholder.ts";
export * from "./problem.ts";
export * from "./project-file.ts";
export { redact, secretValues } from "./redaction.ts";
export * from "./state-files.ts";
export * from "./text-ends.ts";
export * from "./toml.ts";
export * from "./tool.ts";
export * from "./version.ts";
