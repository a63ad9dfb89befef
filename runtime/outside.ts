import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A process by number and start time: the number alone may belong to another one tomorrow. */
export type ProcessMark = { pid: number; start: string };

/** The world outside the engine, apart from the disk (folders are parameters). */
export type Outside = {
  now(): Date;
  /** A name that nobody can guess: 32 hex digits. */
  randomId(): string;
  /** Start time of a live process in the kernel's own words; undefined when there is none. */
  processStart(pid: number): string | undefined;
  /** Where the machine's policy stands. */
  policyFile: string;
  /** Where the machine's own handlers stand. */
  managedHooks: string;
  /** User that must own the policy and those handlers: 0, except in tests that are not root. */
  policyOwner: number;
  /** Where folders for temporary files are made; never from the environment, which a project can set. */
  temporary: string;
};

export const REAL_OUTSIDE: Outside = {
  now: () => new Date(),
  randomId: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex"),
  processStart,
  policyFile: "/etc/hookpkg/policy.json",
  managedHooks: "/etc/hookpkg/hooks",
  policyOwner: 0,
  temporary: "/tmp",
};

function processStart(pid: number): string | undefined {
  return statField(pid, START_TIME);
}

/** Number of the parent process; undefined when `pid` is gone. */
export function parentOf(pid: number): number | undefined {
  const parent = Number(statField(pid, PARENT));
  return Number.isSafeInteger(parent) && parent > 0 ? parent : undefined;
}

/** Ancestors of a process, nearest first, without process 1. */
export function ancestorsOf(pid: number): ProcessMark[] {
  const found: ProcessMark[] = [];
  for (let at = parentOf(pid); at !== undefined && at > 1 && found.length < MAX_ANCESTORS; at = parentOf(at)) {
    const start = processStart(at);
    if (start !== undefined) found.push({ pid: at, start });
  }
  return found;
}

/**
 * The host that started this `run`: the nearest ancestor that is not a part of our own entry (`sh -c 'env … hookpkg run …'`). A
 * person's shell is never taken for one, because the host stands between.
 */
export function hostProcess(pid: number): ProcessMark | undefined {
  return ancestorsOf(pid).find((ancestor) => !isEntry(commandWords(ancestor.pid)));
}

/** A shell or env that was given our entry's text, or hookpkg itself. */
export function isEntry([program = "", ...words]: readonly string[]): boolean {
  const name = basename(program);
  if (name === "hookpkg") return words.includes("run");
  const isCarrier =
    name === "env" || (/^(?:ba|da|z|k)?sh$/.test(name) && words.some((word) => /^-[a-z]*c$/.test(word)));
  return isCarrier && words.some((word) => /\brun\b/.test(word));
}

const MAX_ANCESTORS = 64;
/** Fields of /proc/PID/stat, counted after the name in brackets. */
const PARENT = 1;
const START_TIME = 19;

function statField(pid: number, field: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[field];
  } catch {
    return undefined; // no such process, or no /proc: then nothing is known of it
  }
}

function commandWords(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
