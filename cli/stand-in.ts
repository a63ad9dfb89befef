import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { discardFolder } from "@hookpkg/archive";
import { type Home, homeFolders, sandboxOf } from "@hookpkg/runtime";

/** This machine's sandbox, where it works. */
type Sandbox = Extract<Awaited<ReturnType<typeof sandboxOf>>, { available: true }>;

/** `temporary`: hookpkg's own folders, below `base`; `standIn`: an empty folder for every project and home that a handler could see. */
export type StandIn = { base: string; temporary: Home; standIn: string; sandbox: Sandbox };

/** Runs handlers for somebody who only looks: nothing that they keep or write stays. E_SANDBOX_… where there is no sandbox. */
export async function onStandIn<T>(home: Home, work: (at: StandIn) => Promise<T>): Promise<T> {
  const sandbox = await sandboxOf(home, process.execPath);
  if (!sandbox.available) throw sandbox.fault;
  const base = mkdtempSync(join(tmpdir(), "hookpkg-looked-"));
  try {
    const standIn = join(base, "project");
    mkdirSync(standIn);
    chmodSync(standIn, 0o755); // open to the user that the sandbox runs as for root
    return await work({ base, temporary: homeFolders(base), standIn, sandbox });
  } finally {
    discardFolder(base); // its store is sealed
  }
}
