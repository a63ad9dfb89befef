import { distance } from "fastest-levenshtein";
import type { Answer, PatchFields } from "../answer.ts";
import { type EventName, eventRow, foldEvent } from "../event.ts";
import type { AnswerCode } from "../faults.ts";
import { ANSWER_FIELDS, END_EVENTS, FOREIGN_DECISIONS, type Meaning } from "./answer-table.ts";
import { asObject, type JsonObject } from "./command-output.ts";

export type Failed = { failed: AnswerCode; detail: string };
/** `notes` are for the journal and `hookpkg test`: what was odd and did not matter. */
export type AnswerRead = { answer: Answer; notes: string[] } | Failed;

export const NO_REASON = "the handler gave no reason";

/** What one JSON object says, field by field of the table, before anything is concluded. */
export type Said = {
  decisions: { means: Meaning; path: string; reason?: string }[];
  reasons: string[];
  contexts: string[];
  shown: string[];
  fields?: PatchFields;
  notes: string[];
  faults: Failed[];
};

/** Whether it holds a well-formed deny, which nothing else in it can undo. */
export function saysDeny(said: Said, event: EventName): boolean {
  return said.decisions.some(
    ({ means }) => means === "deny" || ((means === "stop" || means === "end") && !END_EVENTS.has(event)),
  );
}

/** Reads every field; never throws, never guesses. */
export function readFields(object: JsonObject, event: EventName): Said {
  const said: Said = { decisions: [], reasons: [], contexts: [], shown: [], notes: [], faults: [] };
  const unknown: string[] = [];
  const all = flattened(object, said);
  const nested = eventFault(object, event, said);
  for (const path of all.keys()) {
    if (path.startsWith("hookSpecificOutput") && nested === "ignore") continue;
    if (Object.hasOwn(ANSWER_FIELDS, path)) readField(path, all, event, said);
    else unknown.push(path);
  }
  for (const path of unknown.filter(looksLikeDecision))
    said.faults.push({ failed: "E_ANSWER_PLACE", detail: path.slice(0, 100) });
  if (unknown.length > 0) said.notes.push(`unknown fields: ${unknown.slice(0, 10).join(", ").slice(0, 300)}`);
  return said;
}

/** The answer of what was said: a deny first, then what is wrong, then the rest. */
export function concluded(said: Said, event: EventName): AnswerRead {
  const aside = asides(said);
  const ends = said.decisions.filter(({ means }) => means === "end" || means === "stop");
  if (END_EVENTS.has(event) && ends.length > 0)
    return answered({ answer: "end", reason: reasonOf(said, ends), ...aside }, said);
  const denies = said.decisions.filter(({ means }) => means === "deny" || means === "stop" || means === "end");
  if (denies.length > 0) return answered({ answer: "cancel", reason: reasonOf(said, denies), ...aside }, said);
  const [fault] = said.faults;
  if (fault) return fault;
  const asks = said.decisions.filter(({ means }) => means === "ask");
  const allows = said.decisions.filter(({ means }) => means === "allow");
  if (asks.length > 0 && allows.length > 0) return { failed: "E_ANSWER_DISAGREE", detail: "ask and allow" };
  const patch = said.fields ? { fields: said.fields } : {};
  if (asks.length > 0) return answered({ answer: "ask", reason: reasonOf(said, asks), ...patch, ...aside }, said);
  if (allows.length > 0) return answered({ answer: "allow", reason: reasonOf(said, allows), ...patch, ...aside }, said);
  if (said.fields) return answered({ answer: "patch", fields: said.fields, ...aside }, said);
  if (said.decisions.some(({ means }) => means === "patch"))
    return { failed: "E_ANSWER_PATCH_EMPTY", detail: "no fields" };
  if (aside.context !== undefined) return answered({ answer: "context", ...aside, context: aside.context }, said);
  if (said.decisions.length === 0 && said.reasons.length > 0) said.notes.push("a reason without a decision");
  return answered({ answer: "continue", ...aside }, said);
}

function answered(answer: Answer, said: Said): AnswerRead {
  return { answer, notes: [...said.notes, ...said.faults.map(({ failed, detail }) => `${failed}: ${detail}`)] };
}

function asides(said: Said): { context?: string; shown?: string } {
  return {
    ...(said.contexts.length > 0 ? { context: said.contexts.join("\n") } : {}),
    ...(said.shown.length > 0 ? { shown: said.shown.join("\n") } : {}),
  };
}

/** A decision's own reason, else any other that was given. */
function reasonOf(said: Said, decisions: Said["decisions"]): string {
  const own = decisions.map(({ reason }) => reason).find((reason) => reason !== undefined && reason.trim() !== "");
  return own ?? said.reasons.find((reason) => reason.trim() !== "") ?? NO_REASON;
}

/** Path → value, objects of the table opened; a value where the table has an object is a fault. */
function flattened(object: JsonObject, said: Said): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  const open = (inner: JsonObject, prefix: string): void => {
    for (const [key, value] of Object.entries(inner)) {
      const path = `${prefix}${key}`;
      const branch =
        !Object.hasOwn(ANSWER_FIELDS, path) && Object.keys(ANSWER_FIELDS).some((known) => known.startsWith(`${path}.`));
      const next = branch ? asObject(value) : undefined;
      if (next) open(next, `${path}.`);
      else if (!branch) flat.set(path, value);
      else if (value !== null) said.faults.push({ failed: "E_ANSWER_VALUE", detail: `${path} is no object` });
    }
  };
  open(object, "");
  return flat;
}

/** The nested part counts for its own event only; without a name it is taken, with a note. */
function eventFault(object: JsonObject, event: EventName, said: Said): "take" | "ignore" {
  const nested = asObject(object.hookSpecificOutput);
  if (!nested) return "take";
  const name = nested.hookEventName;
  if (name === undefined || name === null) said.notes.push("hookSpecificOutput without hookEventName");
  else if (typeof name !== "string" || foldEvent(name) !== event) {
    said.faults.push({ failed: "E_ANSWER_EVENT", detail: String(name).slice(0, 100) });
    return "ignore";
  }
  return "take";
}

function readField(path: string, all: ReadonlyMap<string, unknown>, event: EventName, said: Said): void {
  const value = all.get(path);
  const field = ANSWER_FIELDS[path];
  if (!field) return;
  const fault = (failed: AnswerCode, detail: string) =>
    said.faults.push({ failed, detail: `${path}: ${detail}`.slice(0, 200) });
  if (field.is === "decision") {
    // `continue` is a boolean, the others are strings: "false" in quotes is no decision.
    const known =
      typeof value === (path === "continue" ? "boolean" : "string") && Object.hasOwn(field.values, String(value));
    const means = known ? field.values[String(value)] : undefined;
    const reason = all.get(field.reason);
    if (means === undefined)
      fault("E_ANSWER_VALUE", `${JSON.stringify(value)}, not ${Object.keys(field.values).join(", ")}`);
    else said.decisions.push({ means, path, ...(typeof reason === "string" ? { reason } : {}) });
  } else if (field.is === "reason" || field.is === "context" || field.is === "shown") {
    const list = { reason: said.reasons, context: said.contexts, shown: said.shown }[field.is];
    if (typeof value === "string") list.push(...(value.trim() === "" ? [] : [value]));
    else if (value !== null) fault("E_ANSWER_VALUE", "not a text");
  } else if (field.is === "patch") {
    if (value !== null) patchField({ name: field.field, value }, event, said, fault);
  } else if (field.is === "fields" && value !== null) {
    const fields = asObject(value);
    if (!fields) fault("E_ANSWER_VALUE", "not an object");
    else if (Object.keys(fields).length === 0) fault("E_ANSWER_PATCH_EMPTY", "{}");
    else for (const [name, part] of Object.entries(fields)) patchField({ name, value: part }, event, said, fault);
  }
}

function patchField(
  { name, value }: { name: string; value: unknown },
  event: EventName,
  said: Said,
  fault: (failed: AnswerCode, detail: string) => void,
): void {
  if (!eventRow(event).patchable.includes(name)) fault("E_ANSWER_PATCH_FIELD", `${name} on ${event}`);
  else if (name === "tool_input" && !asObject(value)) fault("E_ANSWER_VALUE", "not an object");
  else if (name === "tool_input" && Object.keys(asObject(value) ?? {}).length === 0)
    fault("E_ANSWER_PATCH_EMPTY", "{}");
  else said.fields = { ...said.fields, [name]: value };
}

/** Characters; a longer name is nobody's misspelling. */
const MAX_NEAR_MISS = 40;
const plain = (text: string): string => text.toLowerCase().replace(/[-_ ]/g, "");
const DECISIONS = Object.entries(ANSWER_FIELDS)
  .filter(([, field]) => field.is === "decision" || field.is === "patch")
  .map(([path]) => plain(path.slice(path.lastIndexOf(".") + 1)));
const FOREIGN = new Set(FOREIGN_DECISIONS.map(plain));

/** An unknown field that was meant to decide: misspelt, misplaced or another host's. It must not read as "no opinion". */
function looksLikeDecision(path: string): boolean {
  const name = plain(path.slice(path.lastIndexOf(".") + 1));
  if (name.length > MAX_NEAR_MISS) return false;
  return FOREIGN.has(name) || DECISIONS.some((known) => distance(known, name) <= (known.length > 6 ? 2 : 0));
}
