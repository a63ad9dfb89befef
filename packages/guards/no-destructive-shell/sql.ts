/** Statements that delete without choosing rows, first words of the statement. */
const DESTROYS: readonly [RegExp, string][] = [
  [/^DROP (DATABASE|SCHEMA|TABLE|TABLESPACE|KEYSPACE|COLLECTION|DATASET|USER|ROLE|MATERIALIZED VIEW)\b/, "drop"],
  [/^TRUNCATE\b/, "truncate"],
  [/^DELETE FROM(?!.* WHERE )/, "delete all rows of"],
  [/^ALTER TABLE .* DROP (COLUMN|PARTITION)\b/, "drop a column of"],
];

/** What SQL text would destroy, as words that follow "would"; undefined when nothing. */
export function sqlLoss(text: string): string | undefined {
  for (const statement of statementsOf(text)) {
    const words = statement.replace(/\s+/g, " ").trim();
    const upper = words.toUpperCase();
    const found = DESTROYS.find(([pattern]) => pattern.test(upper));
    if (found === undefined) continue;
    const what = words.replace(/^(drop|truncate|delete|alter)( \w+)?( if exists)? ?/i, "").split(" ")[0] ?? "";
    return `${found[1]} ${what === "" ? "data" : what}`;
  }
  return undefined;
}

/** Cut at semicolons, without comments and with texts emptied. One pass. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let now = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "'") {
      const end = text.indexOf("'", at + 1);
      now += "''";
      at = end < 0 ? text.length : end;
    } else if (text.startsWith("--", at) || sign === "#") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      now += " ";
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 1;
      now += " ";
    } else if (sign === ";") {
      statements.push(now);
      now = "";
    } else now += sign;
  }
  return [...statements, now];
}
