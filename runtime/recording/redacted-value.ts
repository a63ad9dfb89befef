import { redact, secretValues } from "@hookpkg/spec";

/** A variable as a call carries it: `env: {API_TOKEN: "…"}`. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
/** A field of a call, in whatever spelling: `password`, `apiKey`, `client-secret`. A `key` alone may be one of a keyboard. */
const SECRET_FIELD =
  /(?:^|_)(?:password|passwd|passphrase|secret|token|credential|api_?key|access_key|private_key|secret_key|authorization|cookie)s?$/;
const REDACTED = "«redacted:secret»";

/**
 * A JSON value with the secrets gone from all its texts, names of fields among them. What stands under the name of a variable or field
 * that says it is secret goes whole.
 */
export function redactedValue(value: unknown, secrets: readonly string[]): unknown {
  return cleaned(value, (text) => redact(text, secrets));
}

function cleaned(value: unknown, clean: (text: string) => string, isSecret = false): unknown {
  if (typeof value === "string") return isSecret && value !== "" ? REDACTED : clean(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, clean, isSecret));
  if (typeof value !== "object" || value === null) return value;
  const taken = new Set<string>();
  const fields = Object.entries(value).map(([name, each]) => [
    free(clean(name), taken),
    cleaned(each, clean, isSecret || saysSecret(name)),
  ]);
  return Object.fromEntries(fields);
}

function saysSecret(name: string): boolean {
  if (VARIABLE.test(name)) return secretValues({ [name]: "x" }).length > 0;
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll("-", "_");
  return SECRET_FIELD.test(snake.toLowerCase());
}

/** Two names that were secrets of one kind are still two fields. */
function free(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  taken.add(free);
  return free;
}
