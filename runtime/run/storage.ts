import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isSystem } from "@hookpkg/fault";
import { z } from "zod";
import { refuse } from "../faults.ts";
import { tryLock } from "../sandbox/descriptor.ts";

const MAX_KEY_BYTES = 150;
const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_KEYS = 1000;
const LOCK_WAIT_MS = 5000;
const LOCK_STEP_MS = 5;

const key = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_KEY_BYTES);
const asked = z.union([
  z.tuple([z.literal("get"), key]),
  z.tuple([z.literal("set"), key, z.unknown()]),
  z.tuple([z.literal("delete"), key]),
  z.tuple([z.literal("list")]),
  z.tuple([z.literal("list"), z.string().max(MAX_KEY_BYTES).nullable()]),
]);

/**
 * `ctx.storage`: one file a key, each written whole, so that a kill leaves the old value or the new one. `get` gives a list with the
 * value, or an empty one. E_STORAGE, E_STORAGE_QUOTA.
 */
export async function serveStorage(folder: string, limitMiB: number, args: unknown): Promise<unknown> {
  const parsed = asked.safeParse(args);
  if (!parsed.success) throw refuse("E_STORAGE", { found: "key" });
  const [verb, name, value] = parsed.data;
  if (verb === "get") return read(folder, name);
  if (verb === "list") return keysOf(folder).filter((each) => each.startsWith(name ?? ""));
  if (!isThere(folder)) {
    if (verb === "delete") return false;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const lock = await locked(folder);
  try {
    return verb === "set" ? write(folder, name, value, limitMiB) : remove(folder, name);
  } finally {
    closeSync(lock);
  }
}

const PREFIX = "k-";
const TEMPORARY = "new";

function fileOf(folder: string, name: string): string {
  return join(folder, PREFIX + Buffer.from(name).toString("base64url"));
}

function keysOf(folder: string): string[] {
  if (!isThere(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => Buffer.from(name.slice(PREFIX.length), "base64url").toString()).sort();
}

function read(folder: string, name: string): unknown[] {
  if (!isThere(folder)) return [];
  let fd: number;
  try {
    fd = openSync(fileOf(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isSystem(error, "ENOENT")) return [];
    throw refuse("E_STORAGE", { found: "file" }, error);
  }
  try {
    const found = fstatSync(fd);
    if (!found.isFile() || found.size > MAX_VALUE_BYTES) throw refuse("E_STORAGE", { found: "file" });
    return [JSON.parse(readFileSync(fd, "utf8"))];
  } catch (cause) {
    throw refuse("E_STORAGE", { found: "file" }, cause);
  } finally {
    closeSync(fd);
  }
}

function write(folder: string, name: string, value: unknown, limitMiB: number): null {
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VALUE_BYTES) throw refuse("E_STORAGE", { bytes, maxBytes: MAX_VALUE_BYTES });
  const file = fileOf(folder, name);
  const others = readdirSync(folder).filter((each) => each.startsWith(PREFIX) && join(folder, each) !== file);
  const total = others.reduce((sum, each) => sum + lstatSync(join(folder, each)).size, bytes);
  if (total > limitMiB * 1024 * 1024 || others.length >= MAX_KEYS)
    throw refuse("E_STORAGE_QUOTA", { bytes: total, keys: others.length + 1, limitMiB });
  const temporary = join(folder, TEMPORARY);
  rmSync(temporary, { recursive: true, force: true }); // a kill may have left one; the lock is ours
  writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true });
  renameSync(temporary, file);
  sync(folder);
  return null;
}

function remove(folder: string, name: string): boolean {
  const file = fileOf(folder, name);
  const wasThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  sync(folder);
  return wasThere;
}

/** A folder of its own, not another one's behind a link. */
function isThere(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) throw refuse("E_STORAGE", { found: "folder" });
  return found !== undefined;
}

/** Against other processes of ours; what happens under it never waits, so nobody here ever has it twice. */
async function locked(folder: string): Promise<number> {
  const fd = openSync(join(folder, "lock"), constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const until = performance.now() + LOCK_WAIT_MS;
  while (!tryLock(fd)) {
    if (performance.now() > until) {
      closeSync(fd);
      throw refuse("E_STATE_BUSY", { folder });
    }
    await Bun.sleep(LOCK_STEP_MS);
  }
  return fd;
}

function sync(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
