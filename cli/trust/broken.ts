import { declaredFaults, isFault } from "@hookpkg/fault";
import { type GateProblem, type Home, readApprovals } from "@hookpkg/runtime";
import { commandText } from "../command-text.ts";
import { readProjectFiles } from "../project/files.ts";
import { counted } from "./page.ts";
import type { ProjectTrust } from "./project-trust.ts";

/** A sentence for a person, and the command that follows from it. */
export type Said = { text: string; command?: string };

const DOCTOR = commandText("hookpkg", "doctor");

/** What does not guard as it was approved, or cannot be read so that nobody can tell: never to be taken for a yes. */
export async function brokenIn({ home, place, view }: ProjectTrust): Promise<Said[]> {
  const held = view.handlers.filter(({ state }) => state === "held").length;
  return [
    ...(await unreadableApprovals(home)),
    ...unreadableFiles(place.root),
    ...(held === 0
      ? []
      : [{ text: `!! ${counted(held, "handler")} HELD: what they guard is cancelled`, command: DOCTOR }]),
  ];
}

/** The approvals, or the list of keys that may sign them: which file it is, and that nothing of them can be told. */
export async function unreadableApprovals(home: Home): Promise<Said[]> {
  const read = await readApprovals(home);
  if (read.read !== "unreadable") return [];
  return [
    {
      text: `!! your approvals cannot be read, so what they guard is held: ${read.file} [${read.why}]`,
      command: DOCTOR,
    },
  ];
}

/** What the project's own two files propose is not known; what was approved runs on. */
function unreadableFiles(root: string): Said[] {
  try {
    readProjectFiles(root);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    const { file, path, line, column } = error.facts;
    const place = line === undefined ? `${path ?? ""}` : `line ${line}, column ${column}`;
    const where = [file ?? path, file === undefined ? "" : place].filter(Boolean).join(", ");
    return [{ text: `!! ${error.message}: ${where} [${error.code}]; what you approved runs on`, command: DOCTOR }];
  }
}

/** Problems that `brokenIn` does not tell of: what is proposed and cannot be had, or has no effect. One line each, none twice. */
export function problemTexts(problems: readonly GateProblem[]): string[] {
  const others = problems.filter(({ facts }) => facts.file === undefined || facts.event !== undefined);
  return [...new Set(others.map(problemText))];
}

/** What it is, of what, and its code. */
export function problemText({ code, facts }: GateProblem): string {
  const about = Object.entries(facts).filter(([name]) => name !== "project");
  const words = about.map(([name, value]) => `${name} ${value}`).join(", ");
  return `${declaredFaults().get(code) ?? "something is wrong"}${words === "" ? "" : `: ${words}`} [${code}]`;
}
