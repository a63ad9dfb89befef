import { refuse } from "./faults.ts";
import { LIMITS } from "./limits.ts";

/** What Windows reads as a device whatever its extension: such a name would never reach the disk there. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\..*)?$/i;
const WINDOWS_SIGN = /["*<>?|]/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Bidi overrides, zero-width and tag characters, blanks that are not U+0020, private and unassigned code points. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/**
 * Refuses a path (below the top folder) that any system could read as another one than every other system, or that a
 * person could not see rightly. Publisher, registry and client apply this same function.
 */
export function checkPath(path: string): void {
  const facts = { path: shown(path) };
  // A name that was not UTF-8 arrives with U+FFFD from decoders that never refuse.
  if (path.includes("\uFFFD") || !path.isWellFormed()) throw refuse("E_ARCHIVE_PATH_UTF8", facts);
  if (path.startsWith("/")) throw refuse("E_ARCHIVE_PATH_ABSOLUTE", facts);
  if (/[\\:]/.test(path)) throw refuse("E_ARCHIVE_PATH_SIGN", facts);
  if (Buffer.byteLength(path) > LIMITS.MAX_PATH_BYTES) {
    throw refuse("E_ARCHIVE_PATH_LONG", { ...facts, limit: LIMITS.MAX_PATH_BYTES });
  }
  if (CONTROL.test(path)) throw refuse("E_ARCHIVE_PATH_CONTROL", facts);
  if (INVISIBLE.test(path)) throw refuse("E_ARCHIVE_PATH_INVISIBLE", facts);
  if (path.normalize("NFC") !== path) throw refuse("E_ARCHIVE_PATH_NFC", facts);
  const segments = path.split("/");
  for (const segment of segments) checkSegment(segment, path);
  if (segments.length > LIMITS.MAX_DEPTH) throw refuse("E_ARCHIVE_TOO_DEEP", { ...facts, limit: LIMITS.MAX_DEPTH });
}

function checkSegment(segment: string, path: string): void {
  const facts = { path: shown(path), name: shown(segment) };
  if (segment === "..") throw refuse("E_ARCHIVE_PATH_PARENT", facts);
  if (segment === "" || segment === ".") throw refuse("E_ARCHIVE_PATH_SEGMENT", facts);
  if (Buffer.byteLength(segment) > LIMITS.MAX_SEGMENT_BYTES) {
    throw refuse("E_ARCHIVE_SEGMENT_LONG", { ...facts, limit: LIMITS.MAX_SEGMENT_BYTES });
  }
  // Windows drops dots and blanks at the end; a blank in front is shown by nobody.
  if (DEVICE.test(segment) || WINDOWS_SIGN.test(segment) || /^ |[. ]$/.test(segment)) {
    throw refuse("E_ARCHIVE_PATH_WINDOWS", facts);
  }
  if (isNeverPacked(segment)) throw refuse("E_ARCHIVE_PATH_UNPACKED", facts);
}

/**
 * Names that no package holds, at any depth: hidden ones, and those that change how a module is resolved. A disk that
 * ignores case would serve `Package.JSON` for `package.json`, so case does not matter here either.
 */
export function isNeverPacked(name: string): boolean {
  const folded = foldCase(name);
  return name.startsWith(".") || folded === "node_modules" || folded === "package.json" || folded.endsWith(".lock");
}

/** Refuses paths that can't stand beside each other on every disk. Each must have passed `checkPath`. */
export function checkPathsTogether(paths: readonly string[]): void {
  const seen = new Set<string>();
  /** Folded path of every file and folder → as it was first written. */
  const written = new Map<string, { path: string; kind: "file" | "folder" }>();
  for (const path of paths) {
    if (seen.has(path)) throw refuse("E_ARCHIVE_DUPLICATE", { path });
    seen.add(path);
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      occupy(written, path.slice(0, end), "folder");
    }
    occupy(written, path, "file");
  }
}

function occupy(
  written: Map<string, { path: string; kind: "file" | "folder" }>,
  path: string,
  kind: "file" | "folder",
): void {
  const key = foldCase(path);
  const first = written.get(key);
  if (first === undefined) written.set(key, { path, kind });
  else if (first.kind !== kind) throw refuse("E_ARCHIVE_FILE_AND_FOLDER", { path, other: first.path });
  else if (first.path !== path) throw refuse("E_ARCHIVE_CASE_TWIN", { path, other: first.path });
}

/** At least Unicode's simple case folding; joins a little more (ß and ss), which only refuses more. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}

/** A hostile path as a fact: no sign that could act on the terminal or log that shows it, and not endless. */
export function shown(path: string): string {
  const text = path.length > 1000 ? `${path.slice(0, 1000)}…` : path;
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}
