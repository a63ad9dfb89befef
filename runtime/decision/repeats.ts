import { existsSync, readdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Decision, decisionSchema, hexOf, type Payload, sha256 } from "@hookpkg/spec";
import { z } from "zod";
import { type Home, isSystem } from "../home.ts";
import { withLock } from "../person/file-lock.ts";
import { readState, writeState } from "../person/state-file.ts";

/** How long the first decision stands for an event that a host tells twice. */
export const REPEAT_MS = 10_000;
/** A lock's file stays for longer than anybody may hold it. */
const SWEPT_AFTER_MS = { json: 60_000, lock: 60 * 60 * 1000 };
/** The second waits for the first, which waits for handlers. */
const MAX_WAIT_MS = 20 * 60 * 1000;

/** One event as a host told it. Only a tool call has a name of its own; `native` means each call. */
export type Telling = { host: string; payload: Payload };

/** Everything that the decision came from beside the event: who was to be asked, and as what. */
export type Stamp = `sha256:${string}`;

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
  {
    key,
    stamp,
    nowMs,
    waitMs = MAX_WAIT_MS,
  }: { key: string | undefined; stamp: Stamp; nowMs: number; waitMs?: number },
  decide: () => Promise<T>,
): Promise<T | { repeated: Decision }> {
  if (key === undefined) return decide();
  const [file, lock] = ["json", "lock"].map((end) => join(home.state, "repeats", `${key}.${end}`)) as [string, string]; // two above
  let isBegun = false;
  const work = () => {
    isBegun = true;
    return once(home, { file, stamp, nowMs }, decide);
  };
  try {
    return await withLock(home, lock, work, waitMs);
  } catch (error) {
    if (isBegun || !isFault(error)) throw error;
    return decide(); // no lock can be had: twice is better than never
  }
}

const firstSchema = z.strictObject({ v: z.literal(1), at: z.number(), stamp: z.string(), decision: decisionSchema });
type First = { v: 1; at: number; stamp: Stamp; decision: Decision };

async function once<T extends { decision: Decision }>(
  home: Home,
  { file, stamp, nowMs }: { file: string; stamp: Stamp; nowMs: number },
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

function sweep(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    try {
      const file = join(folder, name);
      const keptMs = name.endsWith(".lock") ? SWEPT_AFTER_MS.lock : SWEPT_AFTER_MS.json;
      if (Date.now() - statSync(file).mtimeMs > keptMs) unlinkSync(file);
    } catch (error) {
      if (!isSystem(error, "ENOENT")) throw error; // another one sweeps, too
    }
  }
}
