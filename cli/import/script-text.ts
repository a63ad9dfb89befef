/** Characters of a line that are read for what they ask for; nobody reads what stands behind, and bundles have lines of megabytes. */
const MAX_LINE_CHARS = 2000;

/** One text that a handler runs, by the name that a report gives it. */
export type ScriptText = { name: string; lines: readonly string[] };

/** Lines without those that are comments only: what they talk of, nothing does. */
export function scriptText(name: string, text: string): ScriptText {
  const lines = text.split("\n").map((line) => line.slice(0, MAX_LINE_CHARS));
  return { name, lines: lines.filter((line) => !/^\s*(#(?!!)|\/\/|\*[\s/]|\*$|\/\*)/.test(line)) };
}

/** Where a sign stands first: `name: the line`, short. */
export function placeOfSign(texts: readonly ScriptText[], sign: RegExp): string | undefined {
  for (const { name, lines } of texts) {
    const line = lines.find((one) => sign.test(one));
    if (line !== undefined) return `${name}: ${line.trim().slice(0, 80)}`;
  }
  return undefined;
}

export function wholeText(texts: readonly ScriptText[]): string {
  return texts.map(({ lines }) => lines.join("\n")).join("\n");
}
