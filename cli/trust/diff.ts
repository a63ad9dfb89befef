import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { plainText } from "../terminal.ts";
import { changeData, changeIn, type HandlerChange } from "./change.ts";
import { pageLines } from "./page.ts";
import { isRejected, meant, named, openTrust, waitingIn } from "./project-trust.ts";

/** What is proposed against what is approved: fields, options, files. */
export async function run(call: Call): Promise<Done<CommandData["diff"]>> {
  const { home, place, view } = await openTrust(call);
  const differing = [...waitingIn(view), ...view.handlers.filter(isRejected)];
  const asked = call.args.length === 0 ? differing : named(view.handlers, meant(call.args, call.cwd, place.root));
  const changes = await Promise.all(asked.map((one) => changeIn(home, one)));
  const lines = changes.flatMap(diffLines);
  return {
    data: { handlers: changes.map(changeData) },
    lines: lines.length > 0 ? lines : ["nothing differs from what is approved"],
  };
}

/** A handler's change in full, nothing cut: what a person should be able to read before they say yes. */
export function diffLines(change: HandlerChange): string[] {
  return [
    ...pageLines(`${change.view.name}: ${summary(change)}`),
    ...fieldLines(change),
    ...change.files.flatMap(({ path, diff }) => [`  ${path}`, ...diff.split("\n").map((line) => `    ${line}`)]),
    "",
  ];
}

/** One line for each field and option that differs; widenings are marked. */
export function fieldLines({ fields, options }: HandlerChange): string[] {
  return [
    ...fields
      .filter(({ field }) => field !== "closure") // the files say it better
      .flatMap(({ field, before, after, widens }) =>
        pageLines(`${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}${widens ? "  (wider)" : ""}`, "  "),
      ),
    ...options.flatMap(({ name, before, after }) =>
      pageLines(`option ${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`, "  "),
    ),
  ];
}

/** What kind of change it is, in words; that a person said no to it comes first. */
export function summary(change: HandlerChange): string {
  return isRejected(change.view) ? `you REJECTED this: ${kindOf(change)}` : kindOf(change);
}

function kindOf({ view, approved, proposed, lost }: HandlerChange): string {
  if (view.change === "dropped") return "no longer proposed; what you approved goes on running";
  if (!proposed) return `cannot be read [${view.why ?? view.proposed?.identity ?? ""}]`;
  if (!approved) return `new${versioned(proposed.version)}, never approved here`;
  if (lost !== undefined) return `the approved bytes cannot be read [${lost}], so all files are shown`;
  if (view.change === "renamed") return `the same handler under another name, ${proposed.name}`;
  if (view.change === "options") return "the same handler with other options";
  if (view.change === "older") return `OLDER than what you approved: version ${proposed.version}`;
  return view.change === "changed" ? `changed${versioned(proposed.version)}` : "as approved";
}

/** A layer has none. */
function versioned(version: string): string {
  return version === "" ? "" : `, version ${plainText(version)}`;
}
