import { statSync } from "node:fs";
import { sha256 } from "@hookpkg/spec";
import type { Sight } from "./grants.ts";
import type { HandlerCall, RunnableHandler } from "./runnable.ts";
import type { WorkerLimits, WorkerPlan } from "./worker.ts";

/** What a worker is kept for: one program of one package in one project. */
export type Role = {
  /** At most a few workers at once have the same. */
  group: string;
  /** Everything that a worker of this role was started with; another key is another worker. */
  key: string;
  /** Serves one call and is gone. */
  once: boolean;
  plan: () => WorkerPlan;
  limits: WorkerLimits;
};

/**
 * Which calls may share a process: same package, hashed bytes, rights, options, project, and the same sight of the disk (a secret file that
 * appears, or a folder that was replaced, is another sight). undefined: the handler gives no name to keep one under.
 */
export function roleKeys(
  { kept, capabilities }: RunnableHandler,
  call: HandlerCall,
  sight: Sight,
  { program, data }: { program: readonly string[]; data?: string },
): Pick<Role, "group" | "key"> | undefined {
  if (kept === undefined || capabilities.write.length > 0) return undefined; // places that may be written are lent to one call
  const group = JSON.stringify([kept.source, call.dataFolder, call.project ?? null, program]);
  const rights = [kept.closure, capabilities, call.options];
  return { group, key: JSON.stringify([group, rights, seen(sight), data && idOf(data)]) };
}

function seen({ read, links, masks, cwd }: Sight): unknown {
  const covers = masks.map(({ path, shows }) => [path, typeof shows === "string" ? shows : sha256(shows), idOf(path)]);
  return [read.map((path) => [path, idOf(path)]), links, covers, cwd ?? null];
}

/** A mount shows the file that was there when it was made, whatever has its name now. */
function idOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev}:${found.ino}`;
}
