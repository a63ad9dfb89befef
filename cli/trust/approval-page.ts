import { isLayer } from "@hookpkg/runtime";
import { isLocalKey } from "@hookpkg/spec";
import { readProjectFiles } from "../project/files.ts";
import type { HandlerChange, Readable } from "./change.ts";
import { fieldLines, summary } from "./diff.ts";
import type { CasesSaid } from "./own-cases.ts";
import { counted, pageLines } from "./page.ts";
import { OWN_LAYER, type ProjectTrust } from "./project-trust.ts";
import { provenanceOf } from "./provenance.ts";
import { abilities, reaction } from "./words.ts";

/** Everything a person should know before they say yes, the worst first. `!` warns, `+` is new or wider. */
export function approvalPage(trust: ProjectTrust, change: HandlerChange, ran: Ran): string[] {
  const { view, proposed, fields } = change;
  const head = pageLines(`${view.name}: ${summary(change)}`);
  if (!proposed) return head;
  const { normalForm } = proposed;
  const reacts = reaction(normalForm, fields);
  return [
    ...head,
    "  what it can do to you",
    ...abilities(normalForm, fields).flatMap((one) => pageLines(one.text, mark(one))),
    "  what it reacts to",
    ...pageLines(reacts.text, mark({ warns: false, widened: reacts.widened })),
    ...optionLines(proposed),
    "  who made it",
    ...madeBy(trust, change),
    ...changed(change),
    "  its own cases, run now in the sandbox",
    ...saidLines(ran.cases),
    ...(setOptions(proposed).length > 0 ? pageLines("with the package's own options, not those above", "  !  ") : []),
    "  the last tool calls of this project, replayed in the sandbox",
    ...saidLines(ran.replay),
  ];
}

/** What a handler did when it was run before it was approved; absent where there is nothing to run. */
export type Ran = { cases?: CasesSaid | undefined; replay?: CasesSaid | undefined };

function saidLines(said: CasesSaid | undefined): string[] {
  return pageLines(said?.text ?? "", mark({ warns: said?.warns ?? false, widened: false }));
}

function mark({ warns, widened }: { warns: boolean; widened: boolean }): string {
  return `  ${warns ? "!" : " "}${widened ? "+" : " "} `;
}

/** Every value that is not the package's own; one that the project sets decides what a guard minds, so it warns. */
function optionLines(proposed: Readable): string[] {
  const lines = setOptions(proposed).flatMap(({ name, value, own, usual }) => {
    const isProjects = !Bun.deepEquals(value, own);
    const by = isProjects ? "set by this project" : "set by you";
    const text = `${name}: ${JSON.stringify(value)}, ${by}; the package has ${JSON.stringify(usual)}`;
    return pageLines(text, mark({ warns: isProjects, widened: false }));
  });
  return lines.length === 0 ? [] : ["  its options", ...lines];
}

function setOptions({ package: { spec }, options, ownOptions }: Readable) {
  const specs = "manifest" in spec ? spec.manifest.options : spec.options;
  return Object.entries(options.values).flatMap(([name, value]) => {
    const usual = specs[name]?.default;
    const own = ownOptions.values[name];
    return Bun.deepEquals(value, usual) && Bun.deepEquals(own, usual) ? [] : [{ name, value, own, usual }];
  });
}

function madeBy({ home, place }: ProjectTrust, { proposed }: HandlerChange): string[] {
  if (!proposed) return [];
  const { source, package: found } = proposed;
  if (source === OWN_LAYER) return pageLines(`unsigned, from your own folder, for all of your projects`, "  !  ");
  if (isLayer(source)) return pageLines(`unsigned, from this project's own folder: ${source}`, "  !  ");
  if (isLocalKey(source)) return pageLines(`unsigned, from this project: ${source}`, "  !  ");
  const registry = readProjectFiles(place.root).lock.packages[source]?.registry ?? "nowhere";
  const signed = provenanceOf(home, found.tree);
  if (signed?.name !== source || signed.registry !== registry)
    return pageLines(`no signature of these bytes was verified here, whatever the lock says: hookpkg install`, "  !  ");
  return pageLines(`signed by ${signed.signers.join(", ")} for ${source} ${signed.version}, from ${registry}`, "     ");
}

function changed(change: HandlerChange): string[] {
  const { approved, files } = change;
  const counts = files.map(({ path, diff }) => {
    const count = (sign: string) => diff.split("\n").filter((line) => line.startsWith(sign)).length;
    return `    ${path}  ${diff.includes("not readable here") ? diff : `+${count("+")} −${count("-")}`}`;
  });
  if (!approved) return [`  its files: ${counted(files.length, "file")}`, ...counts];
  return [
    `  what changed since you approved ${approved.identity}`,
    ...fieldLines(change).map((line) => `  ${line}`),
    ...counts,
  ];
}
