import { dlopen, ptr } from "bun:ffi";
import { closeSync, writeSync } from "node:fs";

/**
 * Descriptors that Bun has no call for. Bun's own "pipe" is a socket pair: a script cannot open /dev/stdout through one, and
 * bash takes a socket on stdin for a remote login and reads ~/.bashrc.
 */
export function pipe(reader: "child" | "us"): { read: number; write: number } {
  const ends = new Int32Array(2);
  if (libc().pipe2(ptr(ends), O_CLOEXEC) !== 0) throw new Error("pipe2 failed: too many open files");
  const [read = -1, write = -1] = ends;
  if (reader === "us") libc().fcntl(read, F_SETFL, O_NONBLOCK);
  return { read, write };
}

/** An unnamed file of these bytes, sealed, its offset at the start: nobody can change it between the check and the use. */
export function sealed(bytes: Uint8Array): number {
  const fd = libc().memfd_create(ptr(NAME), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) throw new Error("memfd_create failed: too many open files");
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at, bytes.byteLength - at, at);
  libc().fcntl(fd, F_ADD_SEALS, ALL_SEALS);
  return fd;
}

/** The same file under a number of at least `floor`, so that filling the child's low numbers in order overwrites no source. */
export function raised(fd: number, floor: number): number {
  if (fd >= floor) return fd;
  const copy = libc().fcntl(fd, F_DUPFD_CLOEXEC, floor);
  if (copy < 0) throw new Error("fcntl failed: too many open files");
  closeSync(fd);
  return copy;
}

/** Whether a write waits for room. Of a pipe's end that nobody shares with us. */
export function setBlocking(fd: number, blocks: boolean): void {
  libc().fcntl(fd, F_SETFL, blocks ? 0 : O_NONBLOCK);
}

/** Bytes that can be read from a pipe now. */
export function available(fd: number): number {
  return libc().ioctl(fd, FIONREAD, countAt()) === 0 ? (COUNT[0] ?? 0) : 0;
}

/** Locks an open file or folder against other processes until it is closed; false when another one has it. */
export function tryLock(fd: number): boolean {
  return libc().flock(fd, LOCK_EX | LOCK_NB) === 0;
}

const COUNT = new Int32Array(1);
let countsAt: ReturnType<typeof ptr> | undefined;

/** Bun keeps an array where it was when its address was asked for. */
function countAt() {
  countsAt ??= ptr(COUNT);
  return countsAt;
}

const FIONREAD = 0x541b;
const LOCK_EX = 2;
const LOCK_NB = 4;
const O_CLOEXEC = 0o2000000;
const O_NONBLOCK = 0o4000;
const F_SETFL = 4;
const F_DUPFD_CLOEXEC = 1030;
const F_ADD_SEALS = 1033;
const ALL_SEALS = 0b1111;
const MFD_CLOEXEC = 1;
const MFD_ALLOW_SEALING = 2;
const NAME = new TextEncoder().encode("hookpkg\0");

let loaded: ReturnType<typeof open> | undefined;

function libc() {
  loaded ??= open();
  return loaded;
}

function open() {
  return dlopen("libc.so.6", {
    pipe2: { args: ["ptr", "i32"], returns: "i32" },
    memfd_create: { args: ["ptr", "u32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    flock: { args: ["i32", "i32"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i64"], returns: "i32" },
  }).symbols;
}
