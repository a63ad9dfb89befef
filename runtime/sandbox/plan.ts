import type { FilterOptions } from "./seccomp.ts";
import type { Arch } from "./syscalls.ts";

/** A bubblewrap call, ready to start. Nothing secret is in `argv`: everyone on the machine can read that. */
export type Plan = {
  program: string;
  argv: readonly string[];
  /** bubblewrap's own arguments, handed over on a descriptor. */
  words: readonly string[];
  /** Contents of the files from memory, in the order of their descriptors. */
  files: readonly Uint8Array[];
  filter: FilterOptions;
  /** Who may open /dev/stdin, /dev/stdout and /dev/stderr anew, when it is another user than we are. */
  owner?: number;
};

/** hookpkg's own folder inside, and the binary that is there. */
export const OWN_ROOT = "/opt/hookpkg";
export const WORKER_BINARY = `${OWN_ROOT}/hookpkg`;

/** A file handed over from memory: what was hashed is what is seen inside. `path` is relative, checked by the archive's door. */
export type MemoryFile = { path: string; executable: boolean; bytes: Uint8Array };

/** Descriptors of the sandboxed start, by number. */
export const FD = { filter: 3, status: 4, words: 5, firstFile: 6 } as const;

/** A program by absolute path and the shared libraries that it loads, the dynamic loader among them. */
export type Linked = { binary: string; libraries: readonly string[] };

/** What a sandbox needs of this machine: absolute paths, root-owned (the worker's binary is hookpkg itself). */
export type Programs = {
  arch: Arch;
  bwrap: string;
  setpriv: Linked;
  prlimit: string;
  /** Words before everything else: an author's own look at what is refused. */
  tracer?: readonly string[];
  worker: Linked;
  /** What a command sees of the system: folders, and the links of a merged /usr. */
  system: readonly ({ path: string } | { path: string; link: string })[];
};
