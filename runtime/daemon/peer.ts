import { dlopen, ptr } from "bun:ffi";
import { statSync } from "node:fs";
import { readRegular } from "../person/regular-file.ts";

export type Peer = { pid: number; uid: number };

/** Who is at the other end of a Unix socket, by the kernel's word; undefined when it does not say. */
export function peerOf(socket: object): Peer | undefined {
  const fd = "fd" in socket ? socket.fd : undefined; // Bun has it and does not declare it
  if (typeof fd !== "number") return undefined;
  const found = new Int32Array(3);
  const length = new Int32Array([found.byteLength]);
  if (libc().getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ptr(found), ptr(length)) !== 0) return undefined;
  const [pid = 0, uid = -1] = found;
  return pid > 0 ? { pid, uid } : undefined;
}

/**
 * Whether a process runs the very file that we run (the same inode, not the same name), and as the daemon that it is: our file is a
 * JavaScript engine, too, that runs anybody's script when its environment says so. `isCompiled`: this program is one file.
 */
export function runsOurProgram(pid: number, isCompiled = Bun.main.startsWith("/$bunfs/")): boolean {
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/exe`), statSync("/proc/self/exe")];
    if (theirs.dev !== ours.dev || theirs.ino !== ours.ino) return false;
    if (wordsOf(pid, "environ").some((entry) => LED_ASTRAY.test(entry))) return false;
    const [, verb, mode] = wordsOf(pid, "cmdline");
    return !isCompiled || (verb === "daemon" && mode === "serve");
  } catch {
    return false; // gone, or another user's
  }
}

/** What makes the engine, or the loader below it, run other code than its own. */
const LED_ASTRAY = /^(?:BUN_(?:BE_BUN|OPTIONS|INSPECT\w*)|NODE_OPTIONS|LD_(?:PRELOAD|AUDIT|LIBRARY_PATH))=./;
const MAX_WORDS_BYTES = 4 * 1024 * 1024;

function wordsOf(pid: number, file: "cmdline" | "environ"): string[] {
  return new TextDecoder().decode(readRegular(`/proc/${pid}/${file}`, MAX_WORDS_BYTES)).split("\0");
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;

let loaded: ReturnType<typeof open> | undefined;

function libc() {
  loaded ??= open();
  return loaded;
}

function open() {
  return dlopen("libc.so.6", { getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" } }).symbols;
}
