import { dlopen } from "bun:ffi";
import { closeSync, constants, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isSystem, systemCode } from "@hookpkg/fault";
import { refuse } from "../faults.ts";
import { type Home, makeFolder } from "../home.ts";
import { openRegular, readRegular } from "./regular-file.ts";

const MAX_WAIT_MS = 20_000;
/** While a host waits for a decision: somebody who sits on a lock must not make it give up. */
export const EVENT_WAIT_MS = 1500;
const RETRY_MS = 15;

/**
 * Does something while no other process (nor another call in this one) holds the same lock. The kernel holds it, so a killed
 * owner's lock is free at once and a reused process number means nothing. E_STATE_BUSY names who has it for too long.
 */
export async function withLock<T>(
  home: Home,
  file: string,
  work: () => T | Promise<T>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<T> {
  makeFolder(home, dirname(file));
  const fd = openLock(file);
  try {
    for (let waited = 0; !tryLock(fd); waited += RETRY_MS) {
      if (waited > maxWaitMs) throw refuse("E_STATE_BUSY", { file, holder: holderOf(file) });
      await Bun.sleep(RETRY_MS);
    }
    writeSync(fd, `${process.pid}`.padEnd(HOLDER_BYTES), 0); // over the last one's: emptying a file first waits for the disk
    return await work();
  } finally {
    closeSync(fd); // lets go of the lock; the file stays, or two could hold locks on two files of one name
  }
}

function openLock(file: string): number {
  try {
    return openRegular(file, constants.O_RDWR | constants.O_CREAT).fd;
  } catch (cause) {
    throw refuse("E_STATE_UNWRITABLE", { file, system: systemCode(cause) }, cause);
  }
}

function holderOf(file: string): string {
  try {
    return new TextDecoder("latin1").decode(readRegular(file, MAX_LOCK_FILE_BYTES)).slice(0, HOLDER_BYTES).trim();
  } catch (cause) {
    return isSystem(cause, "ENOENT") ? "" : systemCode(cause);
  }
}

const HOLDER_BYTES = 20;
const MAX_LOCK_FILE_BYTES = 4096;
const LOCK_EX = 2;
const LOCK_NB = 4;
let loaded: ReturnType<typeof open> | undefined;

function tryLock(fd: number): boolean {
  loaded ??= open();
  return loaded.flock(fd, LOCK_EX | LOCK_NB) === 0;
}

function open() {
  return dlopen("libc.so.6", { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols;
}
