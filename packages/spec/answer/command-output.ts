import { isFault } from "@hookpkg/fault";
import { decodeUtf8, parseJson } from "../json.ts";
import { ANSWER_FIELDS, type OutputKind } from "./answer-table.ts";

/** stdout is kept to this size; what is longer was cut and can't be read as JSON. */
export const MAX_STDOUT_BYTES = 16 * 1024 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** `objects`: what may hold a deny; the first of them is the answer when the kind is one that has an answer. */
export type CommandOutput = { kind: OutputKind; text: string; objects: readonly JsonObject[] };

/** Sorts a command's stdout into the kinds of the answer table. Never throws. */
export function commandOutput(stdout: Uint8Array, cut: boolean): CommandOutput {
  if (cut || stdout.byteLength > MAX_STDOUT_BYTES) return { kind: "too-large", text: "", objects: [] };
  let text: string;
  try {
    text = decodeUtf8(stdout).trim();
  } catch {
    return { kind: "not-utf8", text: "", objects: [] };
  }
  if (text === "") return { kind: "empty", text, objects: [] };
  if (!/^[[{]/.test(text)) return mixed(text);
  const whole = parsed(text);
  if ("kind" in whole) return { kind: whole.kind, text, objects: whole.kind === "broken" ? endLines(text) : [] };
  const object = asObject(whole.value);
  if (!object) return { kind: "array", text, objects: [] }; // it starts with a bracket
  if (Object.keys(object).length === 0) return { kind: "empty", text, objects: [] };
  return { kind: hasKnownField(object) ? "object" : "unknown-object", text, objects: [object] };
}

/** Text, maybe with an object as its last line. What ends like an object and isn't one is broken, not chatter. */
function mixed(text: string): CommandOutput {
  const last = lastLine(text);
  if (!/^[{}\]]/.test(last)) return { kind: "text", text, objects: [] };
  const value = parsed(last);
  if ("kind" in value) return { kind: value.kind, text, objects: [] };
  const object = asObject(value.value);
  return object && hasKnownField(object)
    ? { kind: "last-line", text, objects: [object] }
    : { kind: "text", text, objects: [] };
}

/** Several objects one after another, or an object and chatter: no answer, but a deny among them still counts. */
function endLines(text: string): JsonObject[] {
  const lines = [text.slice(0, text.indexOf("\n")), lastLine(text)];
  return lines.flatMap((line) => {
    const value = line.startsWith("{") ? parsed(line) : undefined;
    const object = value && "value" in value ? asObject(value.value) : undefined;
    return object ? [object] : [];
  });
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1).trim();
}

function parsed(text: string): { value: unknown } | { kind: OutputKind } {
  try {
    return { value: parseJson(text, { maxBytes: MAX_STDOUT_BYTES }) };
  } catch (error) {
    if (isFault(error, "E_JSON_DUPLICATE_KEY")) return { kind: "duplicate-key" };
    if (isFault(error, "E_JSON_TOO_DEEP") || isFault(error, "E_JSON_TOO_LARGE")) return { kind: "too-large" };
    return { kind: "broken" };
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** A nested object that names nothing we know is no known field, however right its own name is. */
export function hasKnownField(object: JsonObject): boolean {
  const paths = Object.keys(ANSWER_FIELDS);
  return Object.entries(object).some(([key, value]) => {
    const inner = Object.keys(asObject(value) ?? {});
    if (paths.includes(key)) return true;
    const nested = paths.filter((path) => path.startsWith(`${key}.`));
    return (
      nested.length > 0 &&
      (inner.length === 0 || inner.some((name) => nested.some((path) => `${path}.`.startsWith(`${key}.${name}.`))))
    );
  });
}
