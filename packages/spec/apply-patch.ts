import { resolve } from "node:path";
import type { Fault } from "@hookpkg/fault";
import { refuse } from "./faults.ts";

export const MAX_PATCH_FILES = 5000;
const MAX_PATCH_PATH_LENGTH = 4096;

/**
 * What a patch does to one file. `path` and `to` are absolute. `content` is the whole new file of an add, and the added lines of an
 * update or move: what enters the file, as far as the patch tells.
 */
export type Change =
  | { op: "add"; path: string; content: string }
  | { op: "update"; path: string; content: string }
  | { op: "move"; path: string; to: string; content: string }
  | { op: "delete"; path: string };

export type PatchRead = { changes: readonly Change[] } | { changes: null; fault: Fault };

/**
 * Reads the grammar of Codex's `apply_patch`, as leniently as Codex does and no more: what this can't read has `changes: null`,
 * and whoever judges a patch must not let that pass as harmless. Never throws.
 */
export function readPatch(patch: string, cwd: string): PatchRead {
  const lines = patchLines(patch);
  if (lines === undefined) return unreadable("no *** Begin Patch and *** End Patch around it", 1);
  const reader: Reader = { lines, at: 0, cwd };
  if (/^\*\*\* Environment ID: ?\S/.test(lines[0] ?? "")) reader.at++;
  const changes: Change[] = [];
  while (reader.at < lines.length) {
    const start = reader.at;
    const change = readChange(reader);
    if (typeof change === "string") return unreadable(change, start + 2);
    changes.push(change);
    if (changes.length > MAX_PATCH_FILES) return unreadable(`more than ${MAX_PATCH_FILES} files`, start + 2);
  }
  return changes.length === 0 ? unreadable("it changes nothing", 1) : { changes };
}

const HEADER = /^\*\*\* (?:(?:Add|Delete|Update) File: |Move to: |End Patch)/;

type Reader = { lines: readonly string[]; at: number; readonly cwd: string };

/** The lines between the two markers; a here-document around them, CRLF and blank ends are Codex's own leniency. */
function patchLines(patch: string): string[] | undefined {
  const all = patch.trim().split(/\r?\n/);
  const heredoc = /^<<(EOF|'EOF'|"EOF")$/.test(all[0] ?? "") && all.length >= 4 && (all.at(-1) ?? "").endsWith("EOF");
  const lines = heredoc ? all.slice(1, -1) : all;
  if (lines[0]?.trim() !== "*** Begin Patch" || lines.at(-1)?.trim() !== "*** End Patch" || lines.length < 2)
    return undefined;
  return lines.slice(1, -1);
}

/** One file's change, or what is wrong with it. */
function readChange(reader: Reader): Change | string {
  const header = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec((reader.lines[reader.at] ?? "").trim());
  const path = absolute(header?.[2], reader.cwd);
  if (!header) return "a line is no file's header";
  if (path === undefined) return "a path that no file can have";
  reader.at++;
  if (header[1] === "Delete") return { op: "delete", path };
  if (header[1] === "Add") return { op: "add", path, content: addedFile(reader) };
  return readUpdate(reader, path);
}

function addedFile(reader: Reader): string {
  let content = "";
  for (let line = reader.lines[reader.at]; line?.startsWith("+"); line = reader.lines[++reader.at])
    content += `${line.slice(1)}\n`;
  return content;
}

/**
 * Versions of the host disagree about a header that is indented below an update: context to some, a change to others. Such a patch is
 * not read at all. Apart from that every line is taken that any version takes, since more changes are the safe mistake.
 */
function readUpdate(reader: Reader, path: string): Change | string {
  const move = /^\*\*\* Move to: (.+)$/.exec(reader.lines[reader.at] ?? "");
  const to = move ? absolute(move[1]?.trimEnd(), reader.cwd) : undefined;
  if (move && to === undefined) return "a path that no file can have";
  if (move) reader.at++;
  let content = "";
  let lines = 0;
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[++reader.at]) {
    if (HEADER.test(line)) break;
    if (HEADER.test(line.trim())) return "an indented header";
    if (!/^([ +-]|@@( |$)|\*\*\* End of File\s*$|\s*$)/.test(line)) return "a line that no hunk can have";
    if (line.startsWith("+")) content += `${line.slice(1)}\n`;
    if (line.trim() !== "") lines++;
  }
  if (lines === 0 && to === undefined) return "an update without a hunk";
  return to === undefined ? { op: "update", path, content } : { op: "move", path, to, content };
}

/** Control characters have no place in a path that is shown to people and compared by guards. */
function absolute(path: string | undefined, cwd: string): string | undefined {
  if (!path?.trim() || path.length > MAX_PATCH_PATH_LENGTH || /[\u0000-\u001f\u007f-\u009f]/.test(path))
    return undefined;
  return resolve(cwd, path);
}

function unreadable(detail: string, line: number): PatchRead {
  return { changes: null, fault: refuse("E_PATCH_UNREADABLE", { detail, line }) };
}
