import { readFileSync } from "node:fs";
import { hostProcess, type ProcessMark } from "@hookpkg/runtime";

/**
 * The process that counts as the host of this `run`. A shell that runs no script is a person who types: they may approve in it
 * afterwards.
 */
export function startedBy(pid: number): ProcessMark | undefined {
  const found = hostProcess(pid);
  return found === undefined || isTypedIn(found.pid) ? undefined : found;
}

const SHELL = /^-?(?:.*\/)?(?:ba|z|da|k|fi)?sh$/;

function isTypedIn(pid: number): boolean {
  try {
    return isTypedShell(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean));
  } catch {
    return false; // gone already: it was no shell that waits for us
  }
}

/** What terminals and editors start a shell with: words that say how it begins, and none that says what it runs. */
const BEGINNING =
  /^(?:[-+][abefhiklmnprtuvxBEHPT]+|--(?:login|interactive|norc|noprofile|posix|noediting|no-rcs|no-config))$/;
const BEGINNING_WITH_VALUE = /^(?:--rcfile|--init-file|[-+][oO])$/;

/** Whether a shell with these words takes its commands from whoever types. */
export function isTypedShell([program = "", ...words]: readonly string[]): boolean {
  if (!SHELL.test(program)) return false;
  return words.every(
    (word, at) =>
      BEGINNING.test(word) || BEGINNING_WITH_VALUE.test(word) || BEGINNING_WITH_VALUE.test(words[at - 1] ?? ""),
  );
}
