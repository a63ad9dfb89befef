import type { Files, PackageFile } from "@hookpkg/archive";
import { sha256 } from "@hookpkg/spec";
import { createTwoFilesPatch, OMIT_HEADERS } from "diff";
import { plainText } from "../terminal.ts";

/** What changed in one file, to be read by a person: a unified diff, or a sentence where there is nothing to read. */
export type FileDiff = { path: string; diff: string };

/** An outsider chooses the sizes, and comparing costs the square of what differs. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024;
const MAX_EDITS = 2000;
const MAX_COMPARE_MS = 3000;
/** A longer line was not written by hand. */
const MAX_HAND_WRITTEN_LINE = 1000;

/** Every file that differs, by path. Signs that hide or turn text are written as `<U+202E>`. */
export function fileDiffs(before: Files, after: Files): FileDiff[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path) => {
    const lines = compared(old.get(path), now.get(path));
    return lines.length === 0 ? [] : [{ path: plainText(path), diff: lines.join("\n") }];
  });
}

function compared(before: PackageFile | undefined, after: PackageFile | undefined): string[] {
  const isSame = before !== undefined && after !== undefined && Buffer.from(before.bytes).equals(after.bytes);
  return [...modeLines(before, after), ...(isSame ? [] : contentLines(before, after))];
}

function modeLines(before: PackageFile | undefined, after: PackageFile | undefined): string[] {
  if (before && !after) return ["removed"];
  if (!before) return [after?.executable ? "new, executable" : "new"];
  if (before.executable === after?.executable) return [];
  return [after?.executable ? "executable now" : "not executable any more"];
}

function contentLines(before: PackageFile | undefined, after: PackageFile | undefined): string[] {
  const [old, now] = [kindOf(before), kindOf(after)];
  if (old.kind !== "text" || now.kind !== "text") return [unreadable(before, after, [old.kind, now.kind])];
  const patch = before && after ? patchOf(old.text, now.text) : undefined;
  if (patch !== undefined) return plainText(patch).trimEnd().split("\n");
  return [...allLines("-", old.text), ...allLines("+", now.text)];
}

/** Undefined where the two have so little in common that nobody would find it. */
function patchOf(old: string, now: string): string | undefined {
  const limits = { maxEditLength: MAX_EDITS, timeout: MAX_COMPARE_MS };
  return createTwoFilesPatch("", "", old, now, undefined, undefined, {
    ...{ context: 3, headerOptions: OMIT_HEADERS, ...limits },
  });
}

function allLines(sign: "+" | "-", text: string): string[] {
  if (text === "") return [];
  const lines = plainText(text).replace(/\n$/, "").split("\n");
  return lines.map((line) => sign + line);
}

type Kind = { kind: "text"; text: string } | { kind: "binary" | "minified" | "too large to compare" };

function kindOf(file: PackageFile | undefined): Kind {
  if (file === undefined) return { kind: "text", text: "" };
  if (file.bytes.byteLength > MAX_COMPARED_BYTES) return { kind: "too large to compare" };
  const text = decoded(file.bytes);
  if (text === undefined) return { kind: "binary" };
  return text.split("\n").some((line) => line.length > MAX_HAND_WRITTEN_LINE)
    ? { kind: "minified" }
    : { kind: "text", text };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined; // not UTF-8
  }
}

/** Nobody can read it here: its size and digest say at least which bytes these are. */
function unreadable(before: PackageFile | undefined, after: PackageFile | undefined, kinds: readonly string[]): string {
  const kind = kinds.findLast((found) => found !== "text") ?? "text";
  const sizes = [before, after].map((file) =>
    file ? `${file.bytes.byteLength} bytes, ${sha256(file.bytes)}` : "nothing",
  );
  return `${kind}, not readable here: ${sizes.join(" → ")}`;
}
