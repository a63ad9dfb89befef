import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OutcomeKind } from "@hookpkg/spec";

/**
 * One hostile package, as data. A command's `code` is a script whose output is its reason; a module's is the body of a function that
 * returns it; `raw`: the whole script or module, which answers as it likes. `@NAME@` stands for a place of the canaries, `@NR:name@` for
 * the number of a system call.
 */
export type Case = {
  id: string;
  attempt: string;
  /** What stops it. */
  by: string;
  kind: "command" | "module";
  code: readonly string[];
  raw?: true;
  rights?: Readonly<Record<string, unknown>>;
  files?: Readonly<Record<string, string>>;
  timeoutSeconds?: number;
  /** The store's folder of the package becomes a link to another tree when the bytes were hashed, before they run. */
  swapped?: true;
  /** Links that somebody planted in the project before: path → target. */
  planted?: Readonly<Record<string, string>>;
  /** Only machine code of this architecture can try it. */
  arch?: NodeJS.Architecture;
  want: Want;
  /** What the same code reaches outside the sandbox, which shows that the attempt is a real one. Absent where it would hurt the machine. */
  bare?: Bare;
};

/** `*`: any end, what counts is what is unharmed afterwards. `says` and `never` are patterns for the report, or for the whole outcome when there is none. */
export type Want = { outcome: OutcomeKind | "*"; why?: string; says?: string; never?: string };

/** `absent`: the words by which a machine says that it has no such thing; then the case proves nothing here, and its row says so. */
export type Bare = ({ reaches: "canary" } | { says: string }) & { absent?: string };

const FIXTURES = join(import.meta.dir, "../../fixtures/abuse");

export function readCases(): Case[] {
  const files = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));
  return files.sort().flatMap((name) => JSON.parse(readFileSync(join(FIXTURES, name), "utf8")) as Case[]); // our own data
}

/** The code with the places of this run. A name that nobody knows is a mistake in the fixture. */
export function filled(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(/@([A-Z]+(?::\w+)?)@/g, (_, name: string) => {
    const place = name.startsWith("NR:") ? callNumber(name.slice(3)) : places[name];
    if (place === undefined) throw new Error(`no place ${name}`);
    return place;
  });
}

/** asm/unistd_64.h and asm-generic/unistd.h. */
const NUMBERS: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ...{ keyctl: [250, 219], add_key: [248, 217], request_key: [249, 218], bpf: [321, 280], perf_event_open: [298, 241] },
  ...{
    userfaultfd: [323, 282],
    io_uring_setup: [425, 425],
    name_to_handle_at: [303, 264],
    open_by_handle_at: [304, 265],
  },
  ...{ pidfd_open: [434, 434], pidfd_getfd: [438, 438], mq_open: [240, 180], memfd_create: [319, 279] },
  ...{ memfd_secret: [447, 447], personality: [135, 92], ptrace: [101, 117], process_vm_readv: [310, 270] },
  ...{ setns: [308, 268], unshare: [272, 97], mount: [165, 40], chroot: [161, 51], pivot_root: [155, 41] },
  ...{ clone3: [435, 435], openat2: [437, 437], setxattr: [188, 5], shmget: [29, 194], shmat: [30, 196] },
  ...{ msgget: [68, 186], semget: [64, 190], setuid: [105, 146], setresuid: [117, 147], fanotify_init: [300, 262] },
  ...{ sethostname: [170, 161], settimeofday: [164, 170], swapon: [167, 224], reboot: [169, 142] },
  ...{ kexec_load: [246, 104], init_module: [175, 105], syslog: [103, 116], quotactl: [179, 60], acct: [163, 89] },
  ...{ open_tree: [428, 428], fsopen: [430, 430], mount_setattr: [442, 442], kcmp: [312, 272], execve: [59, 221] },
  ...{
    fork: [57, -1],
    vfork: [58, -1],
    clone: [56, 220],
    socket: [41, 198],
    listmount: [458, 458],
    prlimit64: [302, 261],
  },
};

function callNumber(name: string): string | undefined {
  return NUMBERS[name]?.[process.arch === "arm64" ? 1 : 0].toString();
}
