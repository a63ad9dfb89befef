import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rightFor, type Standing } from "@hookpkg/runtime";
import { refuse } from "../faults.ts";

/** Something that the sandbox kept from a handler, and the right that would give it; null where no right does. */
export type Refused = { call: string; target: string; error: string; right: string | null };

const STRACE = "/usr/bin/strace";
/** Beside files and sockets: what the filter never lets through. */
const CALLS =
  "%file,%network,%ipc,clone,fork,vfork,ptrace,keyctl,add_key,request_key,bpf,perf_event_open,userfaultfd,io_uring_setup,unshare,setns,memfd_create,process_vm_readv,personality";
const MAX_TRACE_BYTES = 64 * 1024 * 1024;
const MAX_REFUSED = 200;

/** Words before bubblewrap: strace stands outside the sandbox and sees what is refused in it. One file for each process. E_TRACE_NO_STRACE. */
export function tracer(folder: string, strace = STRACE): string[] {
  if (!existsSync(strace)) throw refuse("E_TRACE_NO_STRACE", { looked: strace });
  return [
    strace,
    "-ff",
    "-qq",
    "-y",
    "-xx",
    "-s",
    "4096",
    "-e",
    `trace=${CALLS}`,
    "-e",
    "signal=none",
    "-o",
    join(folder, "trace"),
    "--",
  ];
}

/** What was refused, each thing once, in the order of its first time within a process. */
export function refusedIn(folder: string, standing: Standing): Refused[] {
  const found = new Map<string, Refused>();
  let left = MAX_TRACE_BYTES;
  for (const name of readdirSync(folder).sort()) {
    const text = readFileSync(join(folder, name), "utf8").slice(0, left);
    left -= text.length;
    for (const line of ofHandler(text.split("\n"))) {
      const one = refusedBy(line, standing);
      if (one !== undefined && found.size < MAX_REFUSED) found.set(`${one.call} ${one.target}`, one);
    }
  }
  return [...found.values()];
}

/** Without what the launchers do between their start and that of the next program. */
function ofHandler(lines: readonly string[]): string[] {
  let isLauncher = false;
  return lines.filter((line) => {
    const started = /^execve\("((?:\\x[0-9a-f]{2}|[^"\\])*)".* = 0$/.exec(line)?.[1];
    if (started !== undefined) isLauncher = /\/(bwrap|setpriv|prlimit)$/.test(decoded(started));
    return !isLauncher;
  });
}

/** One line of strace: `openat(AT_FDCWD<…>, "…", O_RDONLY) = -1 ENOENT (…)`. */
function refusedBy(line: string, standing: Standing): Refused | undefined {
  const [, call = "", words = "", error = ""] = /^(\w+)\((.*)\)\s+= -1 (E[A-Z]+)/.exec(line) ?? [];
  if (NETWORK.test(call)) return UNREACHED.test(error) ? network(call, words, error, standing) : undefined;
  const path = pathOf(/^(sym)?link/.test(call) ? lastPath(words) : words);
  if (
    path !== undefined &&
    /^(openat|open|creat|access|faccessat2?|newfstatat|stat|lstat|statx|readlink(at)?|execve(at)?|mkdir(at)?|unlink(at)?|rmdir|rename(at2?)?|chdir|truncate|chmod|fchmodat2?|symlink(at)?|link(at)?|mknod(at)?|utimensat|[gsl]*etxattr|statfs)$/.test(
      call,
    )
  )
    return file({ call, path, error, writes: WRITES.test(call) || /O_(WRONLY|RDWR|CREAT)|W_OK/.test(words) }, standing);
  if (error !== "EPERM" && error !== "ENOSYS") return undefined;
  return path === undefined ? { call, target: "", error, right: null } : undefined;
}

const NETWORK = /^(socket|socketpair|connect|bind|sendto|sendmsg|listen)$/;
const UNREACHED = /^(EAFNOSUPPORT|ENETUNREACH|ECONNREFUSED|EACCES|EPERM|EHOSTUNREACH)$/;
const WRITES =
  /^(creat|mkdir|unlink|rmdir|rename|truncate|chmod|fchmod|symlink|link|mknod|utimensat|setxattr|lsetxattr)/;

/** Of a call that makes a second name: where that would be. */
function lastPath(words: string): string {
  return /(?:[\w-]+(?:<[^>]*>)?, )?"[^"]*"(?=[^"]*$)/.exec(words)?.[0] ?? "";
}

/** The path of a call, below the folder that it was relative to. */
function pathOf(words: string): string | undefined {
  const [, base, text] = /^(?:[\w-]+(?:<((?:\\x..|[^>])*)>)?, )?"((?:\\x[0-9a-f]{2}|[^"\\])*)"/.exec(words) ?? [];
  return text === undefined ? undefined : resolve(decoded(base ?? "/"), decoded(text));
}

/** strace's -xx: bytes as \xNN, those of other alphabets as they are. */
function decoded(text: string): string {
  return Buffer.from(
    text.replace(/((?:\\x[0-9a-f]{2})+)/g, (bytes) => Buffer.from(bytes.replaceAll("\\x", ""), "hex").toString("utf8")),
  ).toString();
}

type FileCall = { call: string; path: string; error: string; writes: boolean };

function file({ call, path, error, writes }: FileCall, standing: Standing): Refused | undefined {
  if (OWN.test(path) || !(error === "ENOENT" ? isMissed(path, standing) : /^(EACCES|EROFS|EPERM|ENXIO)$/.test(error)))
    return undefined;
  return { call, target: path, error, right: rightFor({ path, writes }, standing) };
}

/** hookpkg's own starting and the system's: no right is about them. */
const OWN =
  /^\/(proc|sys|dev|newroot|oldroot|usr|lib\d*|bin|sbin|opt\/hookpkg)(\/|$)|^\/(etc\/(ld\.so|selinux|localtime|nsswitch|terminfo)|run\/nscd|var\/run\/nscd)|^\/$/;

/** Absent inside, though it is there outside; in a case's project and home nothing is there, so that it counts as if it were. */
function isMissed(path: string, { projects, home }: Standing): boolean {
  const isPlaced = [...projects, home].some((folder) => path === folder || path.startsWith(`${folder}/`));
  if (isPlaced) return true;
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // not ours to look at, so no right would show it either
  }
}

function network(call: string, words: string, error: string, { capabilities }: Standing): Refused {
  const port = /sin6?_port=htons\((\d+)\)/.exec(words)?.[1];
  const address = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(words);
  const place = decoded(address?.[1] ?? address?.[2] ?? "");
  const family = /^AF_\w+/.exec(words)?.[0] ?? /sa_family=(AF_\w+)/.exec(words)?.[1] ?? "";
  const target = place === "" ? family : `${place}:${port ?? "?"}`;
  const right = /^AF_INET6?$/.test(family) && capabilities.net.length === 0 ? '"net": ["HOST:PORT"]' : null;
  return { call, target, error, right };
}
