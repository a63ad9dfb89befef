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
  return [...first].reverse().map(([right, why]) => ({ right, why }));
}

function rightOf(asked: Asked): string {
  if (!("name" in asked)) return asked.kind === "project" ? "project: read" : "model";
  return asked.kind === "program" ? `program ${asked.name}` : `${asked.kind}: ${asked.name}`;
}

/** The report in lines for people. */
export function reportLines({ carried, lost, rights, notes, warnings }: Imported): string[] {
  return [
    ...carried.flatMap((one) => [
      `  carried  ${one.from}`,
      `       as  #${one.id}: ${one.to}`,
      ...one.notes.map((note) => `           ${note}`),
    ]),
    ...lost.map(({ from, why }) => `     lost  ${from}: ${why}`),
    ...rights.map(({ right, why }) => `    right  ${right}, for ${why}`),
    ...notes.map((note) => `     note  ${note}`),
    ...(warnings.length === 0 ? [] : [`  ${warnings.length} warnings of hookpkg validate`]),
  ];
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
