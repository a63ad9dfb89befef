import { statfsSync } from "node:fs";
import { heldMiB, treeOf } from "./memory.ts";
import { MAX_TMP_BYTES } from "./profile.ts";

/** What the processes of one sandbox may use together. The kernel limits each of them; nobody but us looks at the sum. */
export type Allowance = {
  memoryMiB: number;
  processes: number;
  /** Files of its own /tmp: their content has a limit by mount, their number has none. */
  tmpFiles: number;
  /** Whether the folder that it keeps is above its limit; called often. */
  isDataFull?: () => boolean;
};

export type Excess = "E_RUN_PROCESSES" | "E_RUN_MEMORY" | "E_RUN_TMP" | "E_RUN_QUOTA";

/** How often somebody should look. A look that takes long is repeated later, so that looking stays a small part of the work. */
export const LOOK_MS = 50;
export const LOOK_SHARE = 10;

/** What a running sandbox uses too much of. `pid`: its first process, as the host numbers it. */
export function excessOf(pid: number, allowance: Allowance): Excess | undefined {
  const tree = treeOf(pid, allowance.processes);
  if (tree.length > allowance.processes) return "E_RUN_PROCESSES";
  if (tree.reduce((sum, one) => sum + heldMiB(one), 0) > allowance.memoryMiB) return "E_RUN_MEMORY";
  if (tmpFiles(pid) > allowance.tmpFiles) return "E_RUN_TMP";
  return allowance.isDataFull?.() ? "E_RUN_QUOTA" : undefined;
}

/** Until bubblewrap has made its root the process still has ours: only a /tmp of the size that it was given is its own. */
function tmpFiles(pid: number): number {
  try {
    const { type, bsize, blocks, files, ffree } = statfsSync(`/proc/${pid}/root/tmp`);
    return type === TMPFS && bsize * blocks === MAX_TMP_BYTES ? files - ffree : 0;
  } catch {
    return 0; // gone
  }
}

/** TMPFS_MAGIC of linux/magic.h. */
const TMPFS = 0x01021994;
