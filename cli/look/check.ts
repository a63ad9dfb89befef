import { isFault } from "@hookpkg/fault";
import type { CommandData } from "@hookpkg/spec";
import { commandText } from "../command-text.ts";
import manifest from "../package.json" with { type: "json" };

/** One thing that must work. `mend`: the command that mends it, or the step where no command does. */
export type Check = CommandData["doctor"]["checks"][number];

export function works(name: string, found: string): Check {
  return { name, ok: true, found };
}

export function broken(name: string, found: string, mend: string): Check {
  return { name, ok: false, found, mend };
}

/** A check that ended in an error: its sentence and code; an error that is no fault goes on. */
export function failed(name: string, error: unknown, mend: string): Check {
  if (!isFault(error)) throw error;
  const facts = Object.entries(error.facts).map(([fact, value]) => `${fact} ${JSON.stringify(value).slice(0, 200)}`);
  return broken(name, `${error.message} [${error.code}] ${facts.join(", ")}`.trim(), mend);
}

/** The step that gets a file out of the way which nobody can mend by hand, and what follows from it. */
export function setAside(file: string, then: string): string {
  return `${commandText("mv", file, `${file}.broken`)}  (${then})`;
}

/** The file that a fault is about; `absent` where it names none. */
export function fileOf(error: unknown, absent: string): string {
  return isFault(error) && typeof error.facts.file === "string" ? error.facts.file : absent;
}

/** Before this version was made no clock can be right; far after it, neither. */
export function checkClock(now: Date): Check {
  const year = now.getUTCFullYear();
  const name = "clock";
  return year >= BUILT_YEAR && year < BUILT_YEAR + SANE_YEARS
    ? works(name, now.toISOString())
    : broken(
        name,
        `${now.toISOString()}, and hookpkg ${manifest.version} is of ${BUILT_YEAR}`,
        "timedatectl set-ntp true",
      );
}

const BUILT_YEAR = 2025;
const SANE_YEARS = 25;
