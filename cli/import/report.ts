import type { Imported } from "@hookpkg/spec";
import type { Carried } from "./handler.ts";
import { plain } from "./package.ts";
import type { Asked } from "./rights.ts";

/** Where the report stands in the package: a paper, never shown to a handler. */
export const REPORT_FILE = "docs/imported.md";

/** What became of a hook, in one line. */
export function handlerLine({ event, matcher, entry }: Pick<Carried, "event" | "matcher" | "entry">): string {
  const { type, command, argv, url, prompt: _, ...more } = entry;
  const run = command ?? (Array.isArray(argv) ? argv.join(" ") : (url ?? ""));
  const rest = Object.entries(more).map(([key, value]) => `${key} ${JSON.stringify(value).replaceAll('"', "")}`);
  const words =
    `${event}${matcher === undefined ? "" : `[${matcher}]`} ${type} ${String(run).replaceAll("\n", " ")}`.trim();
  return plain([words, ...rest].join(", ")).slice(0, 400);
}

/** Each right once, with the first place that asks for it. */
export function rightLines(asked: readonly Asked[]): Imported["rights"] {
  const lines = asked.map((one) => [rightOf(one), one.why] as const);
  const first = new Map([...lines].reverse());
  return [...first].reverse().map(([right, why]) => ({ right: plain(right), why: plain(why) }));
}

function rightOf(asked: Asked): string {
  if (!("name" in asked)) return "project: read";
  return asked.kind === "program" ? `program ${asked.name}` : `${asked.kind}: ${asked.name}`;
}

const MAX_LINE_CHARS = 100;
const INDENT = " ".repeat(9);

/** The report in lines for people: commands are cut, sentences go on in the next line. */
export function reportLines({ carried, lost, rights, notes, warnings }: Imported): string[] {
  return [
    ...carried.flatMap(({ id, from, to, notes: said }) => [
      cut(`carried  #${id}, which was ${from}`),
      cut(INDENT + to),
      ...said.flatMap((note) => folded(`${INDENT}- ${note}`)),
    ]),
    ...lost.flatMap(({ from, why }) => [cut(`lost     ${from}`), ...folded(`${INDENT}- ${why}`)]),
    ...rights.map(({ right, why }) => cut(`right    ${right}, for ${why}`)),
    ...notes.flatMap((note) => folded(`note     ${note}`)),
    ...(warnings.length === 0 ? [] : [`warning  hookpkg validate has ${warnings.length} of them, and no error`]),
  ];
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1)}…` : line;
}

function folded(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > MAX_LINE_CHARS) {
    const blank = rest.lastIndexOf(" ", MAX_LINE_CHARS);
    const at = blank > INDENT.length + 2 ? blank : MAX_LINE_CHARS;
    lines.push(rest.slice(0, at));
    rest = `${INDENT}  ${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}

/** The same as a page that stays with the package. */
export function reportPage(imported: Imported): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, "", ...lines.map((line) => `- ${line}`), ""];
  return [
    `# Imported from hooks of ${imported.host}`,
    "",
    "Read, not run. The rights are a proposal: look at each, and take out what the handlers do without.",
    "",
    ...list(
      "Carried over",
      imported.carried.flatMap(({ id, from, to, notes }) => [
        `\`${id}\`: ${from} → ${to}`,
        ...notes.map((note) => `\`${id}\`: ${note}`),
      ]),
    ),
    ...list(
      "Not carried over",
      imported.lost.map(({ from, why }) => `${from}: ${why}`),
    ),
    ...list(
      "Rights, and what asks for them",
      imported.rights.map(({ right, why }) => `${right}: ${why}`),
    ),
    ...list("Besides", imported.notes),
  ].join("\n");
}
