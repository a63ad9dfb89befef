import { canonicalBytes, type Sha256, type SourceFiles, sha256 } from "@hookpkg/spec";

/** One regular file: path below the package's root with `/`, whether its owner may execute it, its whole content. */
export type PackageFile = { readonly path: string; readonly executable: boolean; readonly bytes: Uint8Array };

/** Sorted by the UTF-8 bytes of the paths, each path once. */
export type Files = readonly PackageFile[];

/** `[path, file or executable, bytes, digest]`: one line of what a tree digest and a closure are made of. */
export type FileLine = readonly [path: string, kind: "f" | "x", size: number, digest: Sha256];

/** SHA-256 over the RFC 8785 bytes of the file lines of every file: what names a package's content on every machine. */
export function treeDigest(files: Files): Sha256 {
  return linesDigest(fileLines(files));
}

export function linesDigest(lines: readonly FileLine[]): Sha256 {
  return sha256(canonicalBytes(lines));
}

/** The lines of the files, sorted by UTF-8 bytes whatever order the files came in. */
export function fileLines(files: Files): FileLine[] {
  return sortFiles(files).map((file) => [
    file.path,
    file.executable ? "x" : "f",
    file.bytes.byteLength,
    sha256(file.bytes),
  ]);
}

export function sortFiles(files: Files): PackageFile[] {
  return files
    .map((file) => ({ file, key: Buffer.from(file.path) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ file }) => file);
}

/** As the package door reads them: bytes by path. */
export function sourcesOf(files: Files): SourceFiles {
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}
