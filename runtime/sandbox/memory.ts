import { readdirSync, readFileSync } from "node:fs";

/** A process's share of memory, shared pages counted in part; the resident size where the kernel does not tell; 0 when it is gone. */
export function heldMiB(pid: number): number {
  for (const [file, line] of MEASURES) {
    try {
      const kib = line.exec(readFileSync(`/proc/${pid}/${file}`, "latin1"))?.[1];
      if (kib !== undefined) return Number(kib) / 1024;
    } catch {
      // Not for us to read, or gone: the next measure says.
    }
  }
  return 0;
}

/** A process and everything that it started, as far as `max`. Orphans of a sandbox belong to its first process. */
export function treeOf(pid: number, max: number): number[] {
  const tree = [pid];
  for (const at of tree) {
    if (tree.length > max) break;
    tree.push(...childrenOf(at));
  }
  return tree;
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1");
      return text.split(" ").filter(Boolean).map(Number);
    });
  } catch {
    return []; // gone while we looked
  }
}

const MEASURES = [
  ["smaps_rollup", /^Pss:\s+(\d+) kB/m],
  ["status", /^VmRSS:\s+(\d+) kB/m],
] as const;
