import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Triggered, triggeredSchema } from "@hookpkg/spec";
import { cleanText, cut } from "../decision/wording.ts";
import type { Home } from "../home.ts";
import { EVENT_WAIT_MS, withLock } from "../person/file-lock.ts";
import { readState, removeState, writeState } from "../person/state-file.ts";

export type TriggeredText = Triggered["entries"][number];

/** Of each project: the newest; older ones and those that nobody heard for a day are forgotten. */
export const MAX_TRIGGERED = 20;
const KEPT_MS = 24 * 60 * 60 * 1000;
export const MAX_TRIGGERED_CHARS = 4000;

/** Keeps what a trigger's turn said until somebody can be told. E_STATE_…. */
export async function keepTriggered(home: Home, project: string, one: TriggeredText): Promise<void> {
  const entry = { ...one, text: cut(cleanText(one.text), MAX_TRIGGERED_CHARS) };
  await change(home, project, (kept) => [...kept.filter(youngerAt(Date.parse(one.at))), entry].slice(-MAX_TRIGGERED));
}

/** Takes out, in the order in which they were said, those that are wanted now; those that are not to be told at all go, too. */
export async function takeTriggered(
  home: Home,
  project: string,
  { nowMs, choose }: { nowMs: number; choose: (one: TriggeredText) => "take" | "leave" | "drop" },
): Promise<TriggeredText[]> {
  if (!existsSync(fileOf(home, project))) return [];
  const taken: TriggeredText[] = [];
  await change(home, project, (kept) =>
    kept.filter(youngerAt(nowMs)).filter((one) => {
      const chosen = choose(one);
      if (chosen === "take") taken.push(one);
      return chosen === "leave";
    }),
  );
  return taken;
}

function youngerAt(nowMs: number) {
  return ({ at }: TriggeredText) => nowMs - Date.parse(at) < KEPT_MS;
}

async function change(home: Home, project: string, next: (kept: readonly TriggeredText[]) => TriggeredText[]) {
  const file = fileOf(home, project);
  const work = () => {
    const entries = next(readState(triggeredSchema, file)?.entries ?? []);
    if (entries.length === 0) removeState(file);
    else writeState(home, file, { v: 1, entries }, { flush: false });
  };
  await withLock(home, join(home.state, "triggered.lock"), work, EVENT_WAIT_MS);
}

function fileOf(home: Home, project: string): string {
  return join(home.state, "triggered", `${project}.json`);
}
