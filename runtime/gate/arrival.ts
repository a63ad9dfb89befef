import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { type Announced, decidedSince } from "../person/announce.ts";
import { readSession, recordEvent } from "../person/sessions.ts";
import type { Request } from "../request.ts";
import { type Found, whichProjects } from "./which-project.ts";

/** Where an event belongs: by what its session pinned, its entry and its host say. */
export function arrival({ payload, host, flag, hostFolder }: Request, home: Home): Found {
  const session = readSession(home, host, payload.session_id);
  return whichProjects(home, {
    cwd: payload.cwd,
    ...(flag === undefined ? {} : { flag }),
    ...(hostFolder === undefined ? {} : { hostFolder }),
    ...(session === undefined ? {} : { session }),
  });
}

/** Writes the event into its session. At a session's first event: what was decided since the one before it. */
export async function recordArrival(
  { payload, host, hostProcess }: Request,
  { home, outside }: { home: Home; outside: Outside },
  found: Found,
): Promise<Announced[]> {
  const isFirst = readSession(home, host, payload.session_id) === undefined;
  const projects = found.projects.map((project) => project.id);
  const seen = { host, session: payload.session_id, root: found.root, projects };
  const ends = payload.hook_event_name === "SessionEnd";
  await recordEvent(home, { ...seen, ends, ...(hostProcess === undefined ? {} : { process: hostProcess }) }, outside);
  return isFirst ? decidedSince(home, projects, seen) : [];
}
