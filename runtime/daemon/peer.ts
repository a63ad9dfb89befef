import { dlopen, ptr } from "bun:ffi";
import { statSync } from "node:fs";

export type Peer = { pid: number; uid: number };

/** Who is at the other end of a Unix socket, by the kernel's word; undefined when it does not say. */
export function peerOf(fd: number): Peer | undefined {
  const found = new Int32Array(3);
  const length = new Int32Array([found.byteLength]);
  if (libc().getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ptr(found), ptr(length)) !== 0) return undefined;
  const [pid = 0, uid = -1] = found;
  return pid > 0 ? { pid, uid } : undefined;
}

/** Whether a process runs the very file that we run: the same inode, not the same name. */
export function runsOurProgram(pid: number): boolean {
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/exe`), statSync("/proc/self/exe")];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false; // gone, or another user's
  }
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
