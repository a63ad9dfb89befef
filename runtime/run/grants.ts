import { lstatSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Capabilities } from "@hookpkg/spec";
import type { Mask, Profile } from "../sandbox/profile.ts";
import { grantedPlace } from "./granted-place.ts";
import { isWithin, real } from "./place.ts";
import { secretsBelow } from "./project-secrets.ts";
import type { HandlerCall, RunnableHandler } from "./runnable.ts";

/** What a handler sees of the host, by real path. */
export type Sight = Pick<Profile, "read" | "links" | "masks"> & { cwd: string | undefined };

/** Turns rights into mounts. What does not exist is left out; what would open the machine or hookpkg itself is, too. */
export function sightOf({ capabilities }: RunnableHandler, call: HandlerCall, hidden: readonly string[]): Sight {
  const root = call.standIn ?? call.project;
  const shown = capabilities.project === "read" && root !== undefined ? real(root) : undefined;
  const asked = capabilities.read.map((path) => placeOf(path, call));
  const named = asked.flatMap((path) => real(path) ?? []);
  const read = [...new Set([...(shown === undefined ? [] : [shown]), ...named])].filter(mayBeShown);
  if (call.standIn !== undefined) return sightOfStandIn(capabilities, call, { standIn: call.standIn, read });
  if (read.length === 0) return NOTHING;
  const own = hidden.flatMap((path) => real(path) ?? []);
  const visible = read.filter((path) => !own.some((folder) => isWithin(path, folder)));
  return {
    read: visible,
    links: linksTo(visible, [...(call.project === undefined || shown === undefined ? [] : [call.project]), ...asked]),
    masks: [
      ...(shown === undefined ? [] : secretsBelow(shown).filter((mask) => !named.includes(mask.path))),
      ...own.filter((folder) => visible.some((path) => isWithin(folder, path))).map(emptied),
    ],
    cwd: shown !== undefined && visible.includes(shown) ? shown : undefined,
  };
}

/** The stand-in under the name that the call has for the project. Nothing in it is a secret. */
function sightOfStandIn(
  { project, write }: Capabilities,
  call: HandlerCall,
  { standIn, read }: { standIn: string; read: readonly string[] },
): Sight {
  const to = real(standIn);
  if (to === undefined || (read.length === 0 && write.length === 0)) return NOTHING;
  const path = call.project === undefined ? to : resolve(call.project);
  const links = path === to || !mayBeShown(path) ? [] : [{ path, to }];
  return { read, links, masks: [], cwd: project === "read" ? to : undefined };
}

const NOTHING: Sight = { read: [], links: [], masks: [], cwd: undefined };

/** Names of visible places that lead there over a link; those below another such name are reached through it. */
function linksTo(visible: readonly string[], names: readonly string[]): { path: string; to: string }[] {
  const links: { path: string; to: string }[] = [];
  for (const path of [...new Set(names.map((name) => resolve(name)))].sort()) {
    const to = real(path);
    if (to === undefined || to === path || !visible.includes(to)) continue;
    if (![...visible, ...links.map((link) => link.path)].some((seen) => isWithin(path, seen))) links.push({ path, to });
  }
  return links.filter((link) => mayBeShown(link.path));
}

function placeOf(path: string, call: HandlerCall): string {
  if (call.standIn === undefined) return grantedPlace(path, call) ?? NOWHERE;
  return isAbsolute(path) ? NOWHERE : resolve(call.standIn, path.replace(/^~\//, ""));
}

const NOWHERE = "/nonexistent";
/** A mount there would undo the sandbox's own, or open the kernel's interfaces. */
const CLOSED = ["/proc", "/sys", "/dev", "/run", "/var/run", "/plugin", "/data", "/opt/hookpkg"];

function mayBeShown(path: string): boolean {
  return path !== "/" && path !== "/opt" && !CLOSED.some((closed) => isWithin(path, closed));
}

function emptied(path: string): Mask {
  return { path, shows: lstatSync(path).isDirectory() ? "empty-folder" : "no-file" };
}
