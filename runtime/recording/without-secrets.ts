import { redact, secretValues } from "@hookpkg/spec";

/** A variable as a call carries it: `env: {API_TOKEN: "…"}`. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

/**
 * A JSON value with the secrets gone from all its texts, names of fields among them. What stands under the name of a variable that says it
 * is secret goes whole.
 */
export function redactedValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redact(value, secrets);
  if (Array.isArray(value)) return value.map((each) => redactedValue(each, secrets));
  if (typeof value !== "object" || value === null) return value;
  const taken = new Set<string>();
  const fields = Object.entries(value).map(([name, each]) => {
    const own = typeof each === "string" && VARIABLE.test(name) ? secretValues({ [name]: each }) : [];
    return [free(redact(name, secrets), taken), own.length > 0 ? "«redacted:secret»" : redactedValue(each, secrets)];
  });
  return Object.fromEntries(fields);
}

/** Two names that were secrets of one kind are still two fields. */
function free(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  taken.add(free);
  return free;
}
