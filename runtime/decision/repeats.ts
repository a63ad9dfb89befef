import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Decision, decisionSchema, hexOf, type Payload, type Sha256, sha256 } from "@hookpkg/spec";
import { z } from "zod";
import type { Home } from "../home.ts";
import { withLock } from "../person/file-lock.ts";
import { readState, writeState } from "../person/state-file.ts";

/** How long the first decision stands for an event that a host tells twice. */
export const REPEAT_MS = 10_000;
const SWEPT_AFTER_MS = 60_000;
const MAX_UNSWEPT = 64;
/** The second waits for the first, which waits for handlers. */
const MAX_WAIT_MS = 20 * 60 * 1000;

/** One event as a host told it. Only a tool call has a name of its own; `native` means each call. */
export type Telling = { host: string; payload: Payload };

/** The name under which a decision is kept; undefined when this event may well happen twice. */
export function repeatKey({ host, payload }: Telling): string | undefined {
  if (host === "native" || !payload.tool_use_id) return undefined;
  return hexOf(sha256(JSON.stringify([host, payload]))).slice(0, 32);
}

/**
 * The same event seen twice, by two entries of one host or two processes, gets the first decision again and no handler runs. Told at
 * the same time, the second waits for the first.
 */
export async function decideOnce<T extends { decision: Decision }>(
  home: Home,
  /** `stamp`: everything that the decision came from beside the event. */
  telling: { key: string | undefined; stamp: Sha256; nowMs: number; stays: boolean },
  decide: () => Promise<T>,
): Promise<T | { repeated: Decision }> {
  const { key, stamp, nowMs, stays } = telling;
  if (key === undefined) return decide();
  if (stays) return onceHere(`${home.state} ${key}`, { stamp, nowMs }, decide);
  const file = join(home.state, "repeats", `${key}.json`);
  const lock = join(home.state, "repeats", `${key}.lock`);
  let isBegun = false;
  const work = () => {
    isBegun = true;
    // Whoever comes to the lock's file or to a new one of its name finds the decision kept, so the file need not stay.
    return once(home, { file, stamp, nowMs }, decide).finally(() => remove(lock));
  };
  try {
    return await withLock(home, lock, work, MAX_WAIT_MS);
  } catch (error) {
    if (isBegun || !isFault(error)) throw error;
    return decide(); // no lock can be had: twice is better than never
  }
}

type Here = { stamp: Sha256; nowMs: number; decision: Promise<Decision | undefined> };
const here = new Map<string, Here>();

/** In a process that serves all of a home's events its memory is enough, and nothing is written. */
async function onceHere<T extends { decision: Decision }>(
  key: string,
  { stamp, nowMs }: { stamp: Sha256; nowMs: number },
  decide: () => Promise<T>,
): Promise<T | { repeated: Decision }> {
  const isRecent = (first: Here) => Math.abs(nowMs - first.nowMs) < REPEAT_MS;
  for (const [name, first] of here) if (!isRecent(first)) here.delete(name);
  const first = here.get(key);
  const repeated = first?.stamp === stamp ? await first.decision : undefined;
  if (repeated !== undefined) return { repeated };
  const deciding = decide();
  const decision = deciding.then(
    (decided) => decided.decision,
    () => undefined,
  );
  here.set(key, { stamp, nowMs, decision });
  return deciding;
}

const firstSchema = z.strictObject({ v: z.literal(1), at: z.number(), stamp: z.string(), decision: decisionSchema });
type First = { v: 1; at: number; stamp: Sha256; decision: Decision };

async function once<T extends { decision: Decision }>(
  home: Home,
  { file, stamp, nowMs }: { file: string; stamp: Sha256; nowMs: number },
  decide: () => Promise<T>,
): Promise<T | { repeated: Decision }> {
  const first = readFirst(file);
  if (first?.stamp === stamp && Math.abs(nowMs - first.at) < REPEAT_MS) return { repeated: first.decision };
  const decided = await decide();
  sweep(join(home.state, "repeats"));
  keep(home, file, { v: 1, at: nowMs, stamp, decision: decided.decision });
  return decided;
}

function readFirst(file: string) {
  try {
    return readState(firstSchema, file);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** Not kept is no harm: the handlers run once more. */
function keep(home: Home, file: string, first: First): void {
  try {
    writeState(home, file, first, { flush: false });
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

/** Now and then: looking at every file at each event would cost more than they do. */
function sweep(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length < MAX_UNSWEPT || names.length % MAX_UNSWEPT !== 0) return;
  for (const name of names) {
    const file = join(folder, name);
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changed !== undefined && Date.now() - changed > SWEPT_AFTER_MS) remove(file);
  }
}

/** Another one may have been first, and a file that stays is no harm. */
function remove(file: string): void {
  rmSync(file, { force: true });
}
