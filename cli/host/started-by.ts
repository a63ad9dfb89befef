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

const SHELL = /^-?(?:.*\/)?(?:ba|z|da|k|fi|)sh$/;

function isTypedIn(pid: number): boolean {
  try {
    const [program = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    return SHELL.test(program) && words.every((word) => /^-(?:[il]+|-login|-interactive)$/.test(word));
  } catch {
    return false; // gone already: it was no shell that waits for us
  }
}
