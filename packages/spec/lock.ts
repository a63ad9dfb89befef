import { z } from "zod";
import { type Identity, type Integrity, identitySchema, integritySchema, type Sha256, sha256Schema } from "./digest.ts";
import { refuse } from "./faults.ts";
import { parseJson } from "./json.ts";
import { isPackageName } from "./name.ts";
import { type Version, versionSchema } from "./version.ts";

export const LOCK_FILE = ".hookpkg/lock.json";
export const MAX_LOCK_BYTES = 8 * 1024 * 1024;

/** The checkpoint seen at install: two teammates whose locks disagree about one size expose a forked log. */
export type LogSeen = { index: number; size: number; root: string; sig: string };

/** One locked package: a proposal to run these bytes. `statement` and `log` are absent for local packages. */
export type LockEntry = {
  version: Version;
  /** URL of the registry, or `file:./dir`. */
  registry: string;
  integrity: Integrity;
  tree: Sha256;
  statement?: Sha256;
  log?: LogSeen;
  handlers: Readonly<Record<string, Identity>>;
};

/** Keys are package names, or `file:./dir` for local packages; their order is the order of the chain. */
export type Lock = { lock: 1; packages: Readonly<Record<string, LockEntry>> };
export const EMPTY_LOCK: Lock = { lock: 1, packages: {} };

const handlers = z.record(z.string().regex(/^[a-z0-9-]{1,40}$/), identitySchema);
const common = { version: versionSchema, integrity: integritySchema, tree: sha256Schema, handlers };
const fromRegistry = z.strictObject({
  ...common,
  registry: z
    .string()
    .max(500)
    .regex(/^https?:\/\//, "the URL of a registry"),
  statement: sha256Schema,
  log: z.strictObject({
    index: z.int().min(0),
    size: z.int().min(1),
    root: z
      .string()
      .max(64)
      .regex(/^[A-Za-z0-9+/]{43}=$/, "a base64 hash"),
    sig: z.string().max(500),
  }),
});
const fromFolder = z.strictObject({
  ...common,
  registry: z
    .string()
    .max(500)
    .regex(/^file:/, "file:./dir"),
});

const schema = z.strictObject({
  lock: z.literal(1),
  packages: z
    .record(
      z
        .string()
        .max(500)
        .refine((key) => isPackageName(key) || isLocalKey(key), "@scope/name or file:./dir"),
      z.union([fromRegistry, fromFolder]),
    )
    .refine(
      (packages) =>
        Object.entries(packages).every(([key, entry]) => isLocalKey(key) === entry.registry.startsWith("file:")),
      "a local package has a file: key",
    ),
});

/** `file:./dir` below the project: no way out of it, no absolute path. */
export function isLocalKey(key: string): boolean {
  return /^file:\.\/[^\\\u0000-\u001f]*$/.test(key) && !key.split("/").includes("..");
}

/** Reads a lock; E_LOCK_FILE names the field that is wrong. */
export function parseLock(bytes: Uint8Array | string): Lock {
  const parsed = schema.safeParse(parseJson(bytes, { maxBytes: MAX_LOCK_BYTES }));
  if (!parsed.success)
    throw refuse("E_LOCK_FILE", {
      path: parsed.error.issues[0]?.path.join(".") ?? "",
      found: parsed.error.issues[0]?.message ?? "",
    });
  return parsed.data;
}

/** One package a block, two-space indent, final newline: what a diff should show. The same lock is the same text. */
export function lockText(lock: Lock): string {
  const packages = Object.fromEntries(Object.entries(lock.packages).map(([key, entry]) => [key, written(entry)]));
  return `${JSON.stringify({ lock: 1, packages }, null, 2)}\n`;
}

/** One order of fields, whatever order they were read in. */
function written({ version, registry, integrity, tree, statement, log, handlers }: LockEntry): object {
  return { version, registry, integrity, tree, statement, log, handlers: sortedKeys(handlers) };
}

export function sortedKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
