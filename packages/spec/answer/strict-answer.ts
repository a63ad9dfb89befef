import type { EventName } from "../event.ts";
import type { Failed, Said } from "./answer-object.ts";
import type { CommandEnd } from "./answer-parser.ts";
import { asObject, type CommandOutput, type JsonObject } from "./command-output.ts";
import { STRICT_EXIT_2, STRICT_NO_TEXT, strictFields } from "./strict-table.ts";

/** What makes a strict answer count for nothing; undefined when the answer table may read it. */
export function strictFault(end: CommandEnd, output: CommandOutput, said: Said | undefined): Failed | undefined {
  if (end.exit !== 2 && (output.kind === "last-line" || (output.kind === "broken" && said)))
    return fault("more than the object");
  if (end.exit === 0 && output.kind === "text" && STRICT_NO_TEXT.has(end.event)) return fault(`text on ${end.event}`);
  const [object] = output.objects;
  const wrong = object ? wrongField(object, end.event) : undefined;
  if (wrong !== undefined) return fault(wrong);
  const denies = said?.decisions.filter(({ means }) => means === "deny") ?? [];
  if (denies.some(({ reason }) => reason === undefined || reason.trim() === ""))
    return fault("a block without its reason");
  if (said?.decisions.length === 0 && said.reasons.length > 0) return fault("a reason without a decision");
  if (end.exit !== 2 || denies.length > 0) return undefined;
  if (!STRICT_EXIT_2.has(end.event)) return fault(`exit 2 on ${end.event}`);
  const stderr = new TextDecoder().decode(end.stderr).trim();
  return stderr === "" ? { failed: "E_ANSWER_STRICT_STDERR", detail: "" } : undefined;
}

function wrongField(object: JsonObject, event: EventName): string | undefined {
  const allowed = strictFields(event);
  const nested = asObject(object.hookSpecificOutput);
  if (object.hookSpecificOutput !== undefined && nested?.hookEventName !== event)
    return "hookEventName is missing or wrong";
  return leaves(object, Object.keys(allowed)).find(([path, value]) => {
    const values = Object.hasOwn(allowed, path) ? allowed[path] : undefined;
    return values === undefined || (values === "text" ? typeof value !== "string" : !values.includes(value));
  })?.[0];
}

/** Path → value, opened where the table has an object. */
function leaves(object: JsonObject, known: readonly string[], prefix = ""): [string, unknown][] {
  return Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const path = `${prefix}${key}`;
    const inner = known.some((field) => field.startsWith(`${path}.`)) ? asObject(value) : undefined;
    return inner ? leaves(inner, known, `${path}.`) : [[path, value]];
  });
}

function fault(detail: string): Failed {
  return { failed: "E_ANSWER_STRICT", detail: detail.slice(0, 200) };
}
