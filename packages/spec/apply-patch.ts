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

type Reader = { lines: readonly string[]; at: number; readonly cwd: string };

/** The lines between the two markers; a here-document around them, CRLF and blank ends are Codex's own leniency. */
function patchLines(patch: string): string[] | undefined {
  const all = patch.trim().split(/\r?\n/);
  const heredoc = /^<<(EOF|'EOF'|"EOF")$/.test(all[0] ?? "") && all.length >= 4 && (all.at(-1) ?? "").endsWith("EOF");
  const lines = heredoc ? all.slice(1, -1) : all;
  if (lines[0]?.trim() !== "*** Begin Patch" || lines.at(-1)?.trim() !== "*** End Patch" || lines.length < 2) return undefined;
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
  for (let line = reader.lines[reader.at]; line?.startsWith("+"); line = reader.lines[++reader.at]) content += `${line.slice(1)}\n`;
  return content;
}

function readUpdate(reader: Reader, path: string): Change | string {
  const move = /^\*\*\* Move to: (.+)$/.exec(reader.lines[reader.at] ?? "");
  const to = move ? absolute(move[1], reader.cwd) : undefined;
  if (move && to === undefined) return "a path that no file can have";
  if (move) reader.at++;
  const added: string[] = [];
  let hunks = 0;
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    if (line.trim() === "") reader.at++;
    else if (line.startsWith("***")) break;
    else if (readHunk(reader, added, hunks === 0)) hunks++;
    else return "a hunk that cannot be read";
  }
  if (hunks === 0 && to === undefined) return "an update without a hunk";
  const content = added.map((line) => `${line}\n`).join("");
  return to === undefined ? { op: "update", path, content } : { op: "move", path, to, content };
}

/** One hunk; only the first may stand without its @@ line. False when it has no line of its own. */
function readHunk(reader: Reader, added: string[], first: boolean): boolean {
  const head = reader.lines[reader.at] ?? "";
  const headed = head === "@@" || head.startsWith("@@ ");
  if (!headed && !first) return false;
  if (headed) reader.at++;
  let read = 0;
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    if (line === "*** End of File" && read > 0) {
      reader.at++;
      return true;
    }
    if (line !== "" && !" +-".includes(line[0] ?? "")) break;
    if (line.startsWith("+")) added.push(line.slice(1));
    read++;
    reader.at++;
  }
  return read > 0;
}

/** Control characters have no place in a path that is shown to people and compared by guards. */
function absolute(path: string | undefined, cwd: string): string | undefined {
  const plain = path?.trim() ?? "";
  if (plain === "" || plain.length > MAX_PATCH_PATH_LENGTH || /[\u0000-\u001f\u007f]/.test(plain)) return undefined;
  return resolve(cwd, plain);
}

function unreadable(detail: string, line: number): PatchRead {
  return { changes: null, fault: refuse("E_PATCH_UNREADABLE", { detail, line }) };
}
