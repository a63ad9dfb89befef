import { type EventName, eventRow } from "../event.ts";
import { textEnds } from "../text-ends.ts";
import {
  type AnswerRead,
  concluded,
  type Failed,
  NO_REASON,
  readFields,
  type Said,
  saysDeny,
} from "./answer-object.ts";
import { ANSWER_TABLE, type AnswerRow, type ExitKind, TEXT_EVENTS } from "./answer-table.ts";
import { asObject, type CommandOutput, commandOutput, hasKnownField } from "./command-output.ts";
import { strictFault } from "./strict-answer.ts";

/** Characters that are kept of plain stdout that is no decision. */
const MAX_PRINTED = 2000;

export type CommandEnd = {
  exit: number | { signal: string };
  stdout: Uint8Array;
  stderr: Uint8Array;
  event: EventName;
  answers: "lenient" | "strict";
  /** stdout was longer than what was kept. */
  stdoutCut?: boolean;
  /** Named in the sentence of an exit 2 that gave no reason. */
  handler?: string;
};

/** The one reading of a command's answer: finds its row in the answer table. Any bytes have a result; never throws. */
export function readCommandAnswer(end: CommandEnd): AnswerRead {
  const output = commandOutput(end.stdout, end.stdoutCut ?? false);
  const objects = output.objects.map((object) => ({ object, said: readFields(object, end.event) }));
  const strict = end.answers === "strict" ? strictFault(end, output, objects[0]?.said) : undefined;
  if (strict) return strict;
  const deny = objects.find(({ said }) => saysDeny(said, end.event));
  const row = ANSWER_TABLE.find((candidate) => fits(candidate, exitKind(end.exit), output, deny !== undefined));
  if (!row) return { failed: "E_ANSWER_EXIT", detail: "no row of the answer table" };
  switch (row.reads) {
    case "deny":
      return withReason(withNote(concluded(deny?.said ?? nothing(), end.event), output), end);
    case "exit-2":
      // Nobody waits for a notice: who ends with 2 there has failed, and what it wrote says why.
      return eventRow(end.event).kind === "notice"
        ? failure("E_ANSWER_EXIT", end, output)
        : exitTwo(end, output, objects[0]?.said);
    case "continue":
      return { answer: { answer: "continue" }, notes: [] };
    case "object":
      return withNote(concluded(objects[0]?.said ?? nothing(), end.event), output);
    case "text":
      return plainText(output.text, end.event);
    default:
      return failure(row.reads, end, output);
  }
}

/** The answer of a module or service: the same fields, as a value. `undefined` and `{}` are no opinion. */
export function readModuleAnswer(value: unknown, event: EventName): AnswerRead {
  if (value === undefined) return { answer: { answer: "continue" }, notes: [] };
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(value) ?? "null"); // what a worker's frame would make of it
  } catch {
    return { failed: "E_ANSWER_NOT_JSON", detail: "not a JSON value" };
  }
  if (Array.isArray(plain)) return { failed: "E_ANSWER_ARRAY", detail: "" };
  const object = asObject(plain);
  if (!object) return { failed: "E_ANSWER_VALUE", detail: `${typeof value}, not an object` };
  if (Object.keys(object).length > 0 && !hasKnownField(object))
    return { failed: "E_ANSWER_UNKNOWN", detail: Object.keys(object).slice(0, 10).join(", ").slice(0, 200) };
  return concluded(readFields(object, event), event);
}

function exitKind(exit: CommandEnd["exit"]): ExitKind {
  if (typeof exit !== "number") return "signal";
  return exit === 0 ? "0" : exit === 2 ? "2" : "other";
}

function fits(row: AnswerRow, exit: ExitKind, output: CommandOutput, deny: boolean): boolean {
  if (row.exit !== "any" && row.exit !== exit) return false;
  if (row.stdout === "a well-formed deny") return deny;
  return row.stdout === "any" || row.stdout.includes(output.kind);
}

/** Exit 2 is the oldest way to say no: no JSON beside it is needed, and none lifts it. */
function exitTwo(end: CommandEnd, output: CommandOutput, said: Said | undefined): AnswerRead {
  const stderr = new TextDecoder().decode(end.stderr).trim();
  const lifted = said?.decisions.some(({ means }) => means === "allow" || means === "ask") ?? false;
  const own = lifted ? undefined : said?.reasons[0];
  const words = output.objects.length > 0 ? "" : output.text;
  const reason = own ?? (stderr || words || `${end.handler ?? "the handler"} refused this and gave no reason`);
  return {
    answer: { answer: "cancel", reason },
    notes: lifted ? ["exit 2 cancels: the allow or ask beside it does not count"] : [],
  };
}

/** A deny that gave no reason of its own borrows stderr's. */
function withReason(read: AnswerRead, end: CommandEnd): AnswerRead {
  if ("failed" in read || read.answer.answer !== "cancel" || read.answer.reason !== NO_REASON) return read;
  const stderr = new TextDecoder().decode(end.stderr).trim();
  const reason = stderr || `${end.handler ?? "the handler"} refused this and gave no reason`;
  return { ...read, answer: { ...read.answer, reason } };
}

function plainText(text: string, event: EventName): AnswerRead {
  if (TEXT_EVENTS.has(event)) return { answer: { answer: "context", context: text }, notes: [] };
  const printed = text.slice(0, MAX_PRINTED);
  return { answer: { answer: "continue", printed }, notes: ["stdout is text: not a decision"] };
}

function failure(failed: Failed["failed"], end: CommandEnd, output: CommandOutput): Failed {
  if (failed === "E_ANSWER_SIGNAL") return { failed, detail: typeof end.exit === "number" ? "" : end.exit.signal };
  if (failed === "E_ANSWER_EXIT") return { failed, detail: `exit ${String(end.exit)}${said(end.stderr)}` };
  return { failed, detail: excerpt(output.objects[0] ? JSON.stringify(output.objects[0]) : output.text) };
}

function said(stderr: Uint8Array): string {
  const ends = textEnds(new TextDecoder().decode(stderr));
  return ends === "" ? "" : `: ${ends}`;
}

function excerpt(text: string): string {
  return text.slice(0, 200);
}

function withNote(read: AnswerRead, output: CommandOutput): AnswerRead {
  if ("failed" in read || output.kind === "object") return read;
  return { ...read, notes: [...read.notes, "stdout holds more than the answer"] };
}

function nothing(): Said {
  return { decisions: [], reasons: [], contexts: [], shown: [], notes: [], faults: [] };
}
