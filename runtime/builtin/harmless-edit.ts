/**
 * Whether an edit of a host's settings stays within one value that has nothing to do with hooks. The file is not read, so only what
 * the edit itself shows counts: it names its key, and no bracket, hook, variable or command stands in it.
 */
export function harmlessEdit(input: Readonly<Record<string, unknown>>): boolean {
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  return edits.length > 0 && edits.every(isHarmless);
}

function isHarmless(edit: unknown): boolean {
  if (typeof edit !== "object" || edit === null || !("old_string" in edit) || !("new_string" in edit)) return false;
  const { old_string: before, new_string: after } = edit;
  if (typeof before !== "string" || typeof after !== "string") return false;
  if ("replace_all" in edit && edit.replace_all === true) return false;
  return NAMED.test(before) && [before, after].every((text) => !TELLING.test(text));
}

/** A key with its value, or a text in a list. */
const NAMED = /"[\w$-]+"\s*:|"[^"]{6,}"|^\s*[\w-]+\s*=/;
const TELLING = /[{}[\]\\\r]|hook|env\b|command|timeout|"type"|matcher|failure|shell|plugin|mod\b|path|trust|sandbox/i;
