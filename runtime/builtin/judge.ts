import { readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Call,
  type Change,
  changedByCall,
  changedByCode,
  firstOf,
  oneLine,
  patchedFiles,
  pathIn,
  readCommand,
  type Scene,
  shown,
  type Watch,
} from "@guards/shell";
import type { Payload } from "@hookpkg/spec";
import { harmlessEdit } from "./harmless-edit.ts";
import { ownCommand } from "./own-command.ts";
import { type Op, type Places, placeAt } from "./places.ts";

export type Ground = { places: Places; home: string };

/** Why a person must be asked about this call; undefined when nothing of hookpkg's own is at stake. Pure but for links of the paths named. */
export function judgeOwn(payload: Payload, { places, home }: Ground): string | undefined {
  const { tool_name: tool = "", tool_input: input = {}, cwd } = payload;
  const scene: Scene = { cwd, project: "/", home, link };
  const reason = reasonFor(tool, input, { places, scene });
  return reason === undefined ? undefined : oneLine(reason);
}

type Judging = { places: Places; scene: Scene };
type Input = Readonly<Record<string, unknown>>;

function reasonFor(tool: string, input: Input, judging: Judging): string | undefined {
  if (tool === "Bash") return ofCommand(input.command, judging);
  if (tool === "apply_patch") return ofPatch(input, judging);
  if (tool === "Edit" || tool === "MultiEdit")
    return ofFile(input.file_path, judging, (what) => what === "settings" && harmlessEdit(input));
  if (tool === "Write") return ofFile(input.file_path, judging);
  if (tool === "NotebookEdit") return ofFile(input.notebook_path, judging);
  return ofForeign(tool, input, judging);
}

function ofFile(path: unknown, judging: Judging, isHarmless: (what: string) => boolean = () => false) {
  if (typeof path !== "string" || path === "") return "the call names no file that could be read";
  return ofChange({ op: "write", path }, judging, isHarmless);
}

function ofChange(
  { op, path }: Change,
  { places, scene }: Judging,
  isHarmless: (what: string) => boolean = () => false,
) {
  return firstOf(["parents", "all"] as const, (follow) => ofPath(pathIn(scene, path, follow), op, places, isHarmless));
}

function ofPath(path: string, op: Op, places: Places, isHarmless: (what: string) => boolean = () => false) {
  const found = placeAt(places, path, op) ?? placeAt(places, really(path), op);
  if (found === undefined || isHarmless(found.what)) return undefined;
  return `this would ${op === "write" ? "change" : op} ${shown(path)}, ${WHOSE[found.what]}: a person must agree to that`;
}

const WHOSE = {
  folder: "which is hookpkg's own",
  settings: "where a host is told which hooks it asks",
  above: "and hookpkg's own files or a host's settings with it",
};

/** What is still unreadable as shell is judged by its words: a guard of our own must not stop what it can't have to do with. */
function ofCommand(command: unknown, judging: Judging): string | undefined {
  if (typeof command !== "string") return "the call has no command that could be read";
  const { places, scene } = judging;
  const found: string[] = [];
  const keep = (reason: string | undefined) => {
    if (reason !== undefined) found.push(reason);
    return reason;
  };
  const changed = (change: Change, at: Call["at"]) =>
    firstOf(["parents", "all"] as const, (follow) => ofPath(at(change.path, follow), change.op, places));
  const watch: Watch = {
    call: (call) => {
      const verb = ownCommand(call);
      if (verb !== undefined) return keep(`this would run hookpkg ${shown(verb)}: a person must agree to that`);
      return keep(firstOf(changedByCall(call), (change) => changed(change, call.at)));
    },
    write: (path) => keep(ofPath(path, "write", places)),
    code: (code) => keep(firstOf(changedByCode(code), (change) => changed(change, code.at))),
  };
  const ended = readCommand(command, scene, watch);
  if (ended === undefined || found.length > 0) return found[0];
  return MENTIONS.test(command.replace(/['"\\]/g, ""))
    ? "hookpkg is named in a command that can't be read to its end: a person must agree to that"
    : undefined;
}

const MENTIONS = /hookpkg|\.(claude|codex|gemini|qwen)\b/i;

function ofPatch(input: Input, judging: Judging): string | undefined {
  const text = typeof input.patch === "string" ? input.patch : undefined;
  if (!Array.isArray(input.changes)) return "the patch can't be read: a person must agree to it";
  const read = input.changes.flatMap((change): Change[] => {
    if (typeof change !== "object" || change === null || !("path" in change) || typeof change.path !== "string")
      return [];
    const to = "to" in change && typeof change.to === "string" ? [{ op: "write" as const, path: change.to }] : [];
    const op = "op" in change && (change.op === "delete" || change.op === "move") ? change.op : "write";
    return [{ op, path: change.path }, ...to];
  });
  const named = patchedFiles(text).map((path): Change => ({ op: "write", path }));
  return firstOf([...read, ...named], (change) => ofChange(change, judging));
}

/** Tools of MCP servers and of hosts that we know nothing of: by what they call themselves and their fields. */
function ofForeign(tool: string, input: Input, judging: Judging): string | undefined {
  const does = tool.split("__").at(-1) ?? tool;
  if (RUNS.test(does)) {
    const command = input.command ?? input.cmd ?? input.script;
    return typeof command === "string" ? ofCommand(command, judging) : undefined;
  }
  if (!CHANGES.test(does)) return undefined;
  const op: Op = /delete|remove|rm/i.test(does) ? "delete" : /move|rename|mv/i.test(does) ? "move" : "write";
  const paths = FIELDS.flatMap((field) => input[field]).filter((path) => typeof path === "string" && path !== "");
  return firstOf(paths as string[], (path) => ofChange({ op, path }, judging)); // filtered above
}

const RUNS = /shell|bash|exec|command|terminal/i;
const CHANGES = /write|edit|create|append|move|rename|delete|remove|patch|insert|replace|save|copy|update/i;
const FIELDS = [
  "path",
  "paths",
  "file_path",
  "filePath",
  "filename",
  "file",
  "source",
  "destination",
  "dest",
  "target",
  "old_path",
  "new_path",
  "to",
];

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link, or nothing there
  }
}

/** Where the part of it that exists lies. */
function really(path: string): string {
  for (let [at, rest] = [path, ""]; at !== "/" && at !== "."; ) {
    try {
      return join(realpathSync(at), rest);
    } catch {
      rest = join(at.slice(at.lastIndexOf("/") + 1), rest);
      at = dirname(at);
    }
  }
  return path;
}
