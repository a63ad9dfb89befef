import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { hexOf, type Session, sessionSchema, sha256 } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import type { Outside, ProcessMark } from "../outside.ts";
import { EVENT_WAIT_MS, withLock } from "./file-lock.ts";
import { readState, removeState, sweepUnfinished, writeState } from "./state-file.ts";

/** A session without an event for this long is over. */
export const SESSION_IDLE_MS = 30 * 60 * 1000;
/** Files of sessions that ended are kept for what the person was told, not for ever. */
const SESSION_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_TOLD = 500;
const MAX_PROCESSES = 32;

/** A host's name, and the session's in the host's own words. */
export type SessionId = { host: string; session: string };

export type SessionSeen = SessionId & {
  /** Folder where this event found its project. */
  root: string;
  projects: readonly string[];
  process?: ProcessMark;
  ends: boolean;
};

/** The session of a host, as earlier events left it; undefined before the first one or when its file can't be read. */
export function readSession(home: Home, host: string, session: string): Session | undefined {
  try {
    return readState(sessionSchema, sessionFile(home, host, session));
  } catch (error) {
    if (isFault(error)) return undefined; // it only adds to what is told and to where a project is looked for
    throw error;
  }
}

/** Records one event of a session. The root and the projects of the first one stay; projects are only added. */
export async function recordEvent(home: Home, seen: SessionSeen, outside: Outside): Promise<Session> {
  const last = readSession(home, seen.host, seen.session);
  if (last !== undefined && saysNothingNew(last, seen, outside)) return last;
  return changeSession(home, seen, (known) => {
    const at = outside.now().toISOString();
    const processes = [...(known?.processes ?? [])];
    const { process } = seen;
    if (process && !processes.some(({ pid, start }) => pid === process.pid && start === process.start))
      processes.push(process);
    if (known === undefined) sweep(home, outside);
    return {
      ...known,
      v: 1,
      host: seen.host,
      session: seen.session,
      root: known?.root ?? seen.root,
      projects: [...new Set([...(known?.projects ?? []), ...seen.projects])],
      firstSeen: known?.firstSeen ?? at,
      lastEvent: at,
      ended: seen.ends,
      processes: processes.slice(-MAX_PROCESSES),
      told: known?.told ?? {},
      refusals: known?.refusals ?? 0,
    };
  });
}

/** Its host is gone, or has let go of it: it keeps nobody waiting. An event that comes after all takes it up again. E_STATE_…. */
export async function endSession(home: Home, seen: SessionId): Promise<void> {
  const last = readSession(home, seen.host, seen.session);
  if (last !== undefined && !last.ended) await changeSession(home, seen, (known = last) => ({ ...known, ended: true }));
}

/** Every event would write the file anew, for a time that only has to be right by minutes. */
const SAME_EVENT_MS = 60_000;

function saysNothingNew(last: Session, { projects, process, ends }: SessionSeen, outside: Outside): boolean {
  const sinceMs = outside.now().getTime() - Date.parse(last.lastEvent);
  const isKnown = (mark: ProcessMark) =>
    last.processes.some(({ pid, start }) => pid === mark.pid && start === mark.start);
  return (
    !ends &&
    !last.ended &&
    sinceMs >= 0 &&
    sinceMs < SAME_EVENT_MS &&
    projects.every((project) => last.projects.includes(project)) &&
    (process === undefined || isKnown(process))
  );
}

/**
 * Conditions (handler → state) that this session's person was not told yet, or in another state. They count as told from here on;
 * a condition that is over is forgotten, so that its return is news.
 */
export async function newsOf(
  home: Home,
  seen: SessionId,
  conditions: Readonly<Record<string, string | null>>,
): Promise<string[]> {
  const known = readSession(home, seen.host, seen.session);
  const isNews = (told: Session["told"], name: string) => (told[name] ?? null) !== conditions[name];
  if (!known || !Object.keys(conditions).some((name) => isNews(known.told, name)))
    return known ? [] : Object.keys(conditions).filter((name) => conditions[name] !== null);
  let news: string[] = [];
  await changeSession(home, seen, (current) => {
    const session = current ?? known;
    news = Object.keys(conditions).filter((name) => isNews(session.told, name) && conditions[name] !== null);
    const told = Object.entries({ ...session.told, ...conditions }).flatMap(([name, state]) =>
      state === null ? [] : [[name, state] as const],
    );
    return { ...session, told: Object.fromEntries(told.slice(-MAX_TOLD)) };
  });
  return news;
}

/** How many events of a session one handler has refused in a row, this one among them; 0 when nobody refused this one. */
export async function countRefusals(home: Home, seen: SessionId, refusedBy: string | undefined): Promise<number> {
  const known = readSession(home, seen.host, seen.session);
  if (!known) return refusedBy === undefined ? 0 : 1;
  if (refusedBy === undefined && known.refusals === 0) return 0;
  const counted = await changeSession(home, seen, (now) => {
    const { refusedBy: before, refusals, ...rest } = now ?? known;
    if (refusedBy === undefined) return { ...rest, refusals: 0 };
    return { ...rest, refusals: before === refusedBy ? refusals + 1 : 1, refusedBy };
  });
  return counted.refusals;
}

/** Sessions that are at work on a project (or on any) now: seen by `run`, not ended, an event within the last half hour. `native` is no host. */
export function liveSessions(home: Home, project: string | undefined, outside: Outside): Session[] {
  const now = outside.now().getTime();
  return allSessions(home).filter((session) => {
    const idle = now - Date.parse(session.lastEvent);
    // A clock that was set back must not end a session: only a known half hour does.
    return (
      session.host !== "native" &&
      !session.ended &&
      (project === undefined || session.projects.includes(project)) &&
      !(idle > SESSION_IDLE_MS)
    );
  });
}

/** Hosts that work in a project, or anywhere: a live session, or one that is said to have ended while its host's process goes on. */
export function sessionsAtWork(home: Home, project: string | undefined, outside: Outside): Session[] {
  const live = liveSessions(home, project, outside);
  const isRunning = ({ processes }: Session) => processes.some(({ pid, start }) => outside.processStart(pid) === start);
  const others = allSessions(home).filter(
    (session) => session.host !== "native" && (project === undefined || session.projects.includes(project)),
  );
  return [...live, ...others.filter(isRunning)];
}

/** Host → when it last sent an event, by what is kept of its sessions (to the minute). */
export function lastEvents(home: Home): Readonly<Record<string, string>> {
  const last: Record<string, string> = {};
  for (const { host, lastEvent } of allSessions(home))
    if (last[host] === undefined || last[host] < lastEvent) last[host] = lastEvent;
  return last;
}

/**
 * Processes that `run` saw as hosts under this home, with the session, and that are still the same processes: a SessionEnd can be made up, so
 * only the process's own end ends this.
 */
export function recordedHosts(home: Home, outside: Outside): (ProcessMark & SessionId)[] {
  return allSessions(home)
    .flatMap(({ host, session, processes }) => processes.map((mark) => ({ ...mark, host, session })))
    .filter((mark) => outside.processStart(mark.pid) === mark.start);
}

export function allSessions(home: Home): Session[] {
  const folder = join(home.state, "sessions");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    return readState(sessionSchema, join(folder, name)) ?? [];
  });
}

function sweep(home: Home, outside: Outside): void {
  for (const folder of ["", "sessions", "closed", "triggered"])
    sweepUnfinished(join(home.state, folder), outside.now().getTime());
  const oldest = outside.now().getTime() - SESSION_KEPT_MS;
  for (const session of allSessions(home))
    if (Date.parse(session.lastEvent) < oldest) removeState(sessionFile(home, session.host, session.session));
}

/** Reads, changes and writes a session's file, one process at a time. */
export async function changeSession(
  home: Home,
  { host, session }: SessionId,
  next: (known: Session | undefined) => Session,
): Promise<Session> {
  const work = () => {
    const changed = next(readSession(home, host, session));
    writeState(home, sessionFile(home, host, session), changed, { flush: false });
    return changed;
  };
  return withLock(home, join(home.state, "sessions.lock"), work, EVENT_WAIT_MS);
}

/** Session ids are the host's: any text, so the file is named by its digest. */
function sessionFile(home: Home, host: string, session: string): string {
  return join(home.state, "sessions", `${hexOf(sha256(JSON.stringify([host, session]))).slice(0, 32)}.json`);
}
