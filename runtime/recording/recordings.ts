import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { type Decision, decisionSchema, type Payload, parsePayload } from "@hookpkg/spec";
import { z } from "zod";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { readConfig } from "../person/config.ts";
import { readState, removeState, sweepUnfinished, writeState } from "../person/state-file.ts";
import { redactedValue } from "./redacted-value.ts";

/** Of one project; the oldest goes. */
const MAX_RECORDINGS = 200;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Of a call, and of what handlers made of it: what is larger is left out, and its size is what stays. */
const MAX_PART_BYTES = 256 * 1024;

const recordingSchema = z.strictObject({
  v: z.literal(1),
  at: z.iso.datetime(),
  host: z.string().max(100),
  subjects: z.array(z.string()),
  tool: z.string(),
  bytes: z.int().nonnegative(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  patchBytes: z.int().nonnegative().optional(),
  decision: decisionSchema,
});

/**
 * One tool call as its host told it, and what was decided. `payload` is null when it was larger than 256 KiB (`bytes`); `patchBytes` is
 * there when the decision had a patch of more. `decision.person` is empty.
 */
export type Recording = Omit<z.infer<typeof recordingSchema>, "v" | "payload" | "decision"> & {
  payload: Payload | null;
  decision: Decision;
};

export type Recorded = { host: string; subjects: readonly string[]; payload: Payload; decision: Decision };

/**
 * Keeps one tool call of a project in a file of its own, redacted, and takes away what is too old or too many. Nothing is written when the
 * person wants none (`record: false`): then what there is goes. E_STATE_….
 */
export function keepRecording(
  home: Home,
  project: string,
  { host, subjects, payload, decision }: Recorded,
  { outside, secrets }: { outside: Outside; secrets: readonly string[] },
): void {
  if (!isRecording(home)) {
    clearRecordings(home);
    return;
  }
  const nowMs = outside.now().getTime();
  const clean = (value: unknown) => redactedValue(value, secrets);
  const bytes = sizeOf(payload);
  const patchBytes = sizeOf(decision.patch);
  const { patch, person: _, ...verdict } = decision;
  const isPatchKept = patch !== undefined && patchBytes <= MAX_PART_BYTES;
  const recording = {
    ...{ v: 1, at: new Date(nowMs).toISOString(), host, subjects: clean(subjects), bytes },
    tool: clean(payload.tool_name ?? ""),
    payload: bytes <= MAX_PART_BYTES ? clean(payload) : null,
    ...(patch === undefined || isPatchKept ? {} : { patchBytes }),
    decision: { ...(clean({ ...verdict, ...(isPatchKept ? { patch } : {}) }) as object), person: [] },
  };
  const folder = folderOf(home, project);
  const name = `${stampOf(nowMs)}-${outside.randomId().slice(0, 8)}.json`;
  writeState(home, join(folder, name), recording, { flush: false });
  sweepFolder(folder, nowMs);
}

/** The recordings of a project, oldest first, none older than seven days. Those that cannot be read are left out. */
export function readRecordings(home: Home, project: string, nowMs: number): Recording[] {
  const folder = folderOf(home, project);
  const isOver = isOverAt(nowMs);
  return namesIn(folder)
    .filter((name) => !isOver(name))
    .flatMap((name) => readOne(join(folder, name)));
}

function readOne(file: string): Recording[] {
  try {
    const found = readState(recordingSchema, file);
    if (found === undefined) return []; // swept meanwhile
    const { v: _, payload, ...rest } = found;
    return [{ ...rest, payload: payload === null ? null : parsePayload(payload) }];
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}

/** Takes away what is older than seven days, of every project; all of it when the person wants none. E_STATE_…. */
export function sweepRecordings(home: Home, outside: Outside): void {
  const projects = isRecording(home) ? listed(join(home.state, "recordings")) : [];
  if (projects.length === 0) clearRecordings(home);
  for (const project of projects) sweepFolder(folderOf(home, project), outside.now().getTime());
}

/** Takes away every recording, of one project or of all. Whether there was any. */
export function clearRecordings(home: Home, project?: string): boolean {
  const all = join(home.state, "recordings");
  const folder = project === undefined ? all : join(all, project);
  const isThere = existsSync(folder);
  rmSync(folder, { recursive: true, force: true });
  return isThere;
}

export function isRecording(home: Home): boolean {
  return readConfig(home).record !== false;
}

/** Project ids are ours: random, never a path. */
function folderOf(home: Home, project: string): string {
  return join(home.state, "recordings", project);
}

/** By name, which begins with the time: oldest first. */
function namesIn(folder: string): string[] {
  return listed(folder)
    .filter((name) => NAME.test(name))
    .sort();
}

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/;

/** Of a time that is far from now in either direction: a clock that was wrong keeps nothing for ever. */
function isOverAt(nowMs: number): (name: string) => boolean {
  const [first, last] = [stampOf(nowMs - KEPT_MS), stampOf(nowMs + KEPT_MS)];
  return (name) => name < first || name.slice(0, last.length) > last;
}

/** How names begin, so that their order is that of time. */
function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:.]/g, "");
}

function sweepFolder(folder: string, nowMs: number): void {
  const names = namesIn(folder);
  const isOver = isOverAt(nowMs);
  const over = names.filter((name, n) => n < names.length - MAX_RECORDINGS || isOver(name));
  for (const name of over) removeState(join(folder, name));
  sweepUnfinished(folder, nowMs);
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystem(error, "ENOENT") || systemCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
