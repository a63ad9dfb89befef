import { inputText, type PatchChange, type ToolCall } from "./payload.ts";

/** One file that a call touches, as the payload names it. `to` is where a move ends. */
export type TouchedPath = { op: "read" | "write" | "delete"; path: string } | { op: "move"; path: string; to: string };

/** Which field names the file, and what the tool does to it. */
const FILE_TOOLS: Readonly<Record<string, { field: string; op: "read" | "write" }>> = {
  Write: { field: "file_path", op: "write" },
  Edit: { field: "file_path", op: "write" },
  MultiEdit: { field: "file_path", op: "write" },
  NotebookEdit: { field: "notebook_path", op: "write" },
  Read: { field: "file_path", op: "read" },
  Grep: { field: "path", op: "read" },
  Glob: { field: "path", op: "read" },
};

/** Thrown by `paths`: the handler that doesn't catch it has failed, and a closed one thereby refuses the call. */
export class UnreadablePatch extends Error {
  override name = "UnreadablePatch";
}

/**
 * The files that a call names. A shell command is not read: what it touches is in its text, not in its fields. A patch that can't
 * be read (`changes: null`) may touch anything, and an empty list would say that it touches nothing: throws UnreadablePatch.
 */
export function paths(call: ToolCall): TouchedPath[] {
  if (call.tool_name === "apply_patch") return changesOf(call.tool_input).map(touched);
  const tool = Object.hasOwn(FILE_TOOLS, call.tool_name) ? FILE_TOOLS[call.tool_name] : undefined;
  const path = tool === undefined ? undefined : inputText(call, tool.field);
  return tool === undefined || path === undefined ? [] : [{ op: tool.op, path }];
}

function touched({ op, path, to }: PatchChange): TouchedPath {
  if (to !== undefined) return { op: "move", path, to };
  return { op: op === "delete" ? "delete" : "write", path };
}

/** The list is the host adapter's work; a field of another kind is left out rather than trusted. */
function changesOf(input: object): PatchChange[] {
  const changes: unknown = "changes" in input ? input.changes : [];
  if (changes === null) throw new UnreadablePatch("nobody can say which files this patch would change");
  return Array.isArray(changes) ? changes.filter(isChange) : [];
}

function isChange(value: unknown): value is PatchChange {
  if (typeof value !== "object" || value === null || !("path" in value) || !("op" in value)) return false;
  const to = "to" in value ? value.to : undefined;
  return typeof value.path === "string" && typeof value.op === "string" && (to === undefined || typeof to === "string");
}
