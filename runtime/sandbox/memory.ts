import { readFileSync } from "node:fs";

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

const MEASURES = [
  ["smaps_rollup", /^Pss:\s+(\d+) kB/m],
  ["status", /^VmRSS:\s+(\d+) kB/m],
] as const;
