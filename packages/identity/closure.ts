import { canonicalBytes, isPaper, type Sha256, sha256 } from "@hookpkg/spec";
import { refuse } from "./faults.ts";

/** A published (or local) package, or a person's or project's own layer: they keep their declarations in other places. */
export type PackageKind = "package" | "layer";

/** One file: its bytes, or the digest and size that were taken of them. `executable`: for its owner. */
export type ClosureFile = { path: string; executable: boolean } & (
  | { bytes: Uint8Array }
  | { sha256: Sha256; size: number }
);

const DECLARATIONS: Record<PackageKind, ReadonlySet<string>> = {
  package: new Set(["hookpkg.json", "hooks/hooks.json"]),
  layer: new Set(["hookpkg.json", "hooks.json", "hooks.toml"]),
};

/**
 * Digest of every file that a handler can load: SHA-256 over the canonical list of `[path, "f" | "x", size, sha256]`,
 * sorted by the paths' UTF-8 bytes. Whoever mounts files for a handler mounts exactly those of `isClosureFile`.
 */
export function closureOf(files: Iterable<ClosureFile>, kind: PackageKind): Sha256 {
  const mounted = [...files].filter((file) => isClosureFile(file.path, kind)).sort((a, b) => byUtf8(a.path, b.path));
  mounted.forEach((file, n) => {
    if (file.path === mounted[n + 1]?.path) throw refuse("E_CLOSURE_PATH_TWICE", { path: file.path });
  });
  return sha256(canonicalBytes(mounted.map(line)));
}

export function isClosureFile(path: string, kind: PackageKind): boolean {
  return !isDeclaration(path, kind) && !isPaper(path);
}

/** What declares the handlers: everything that counts in it is in the normal form. */
export function isDeclaration(path: string, kind: PackageKind): boolean {
  return DECLARATIONS[kind].has(path);
}

function line(file: ClosureFile): [string, "f" | "x", number, Sha256] {
  const [size, digest] = "bytes" in file ? [file.bytes.byteLength, sha256(file.bytes)] : [file.size, file.sha256];
  if (!Number.isSafeInteger(size) || size < 0) throw refuse("E_CLOSURE_SIZE", { path: file.path });
  return [file.path, file.executable ? "x" : "f", size, digest];
}

function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
