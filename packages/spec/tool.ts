import { resolve } from "node:path";
import type { Fault } from "@hookpkg/fault";
import { readPatch } from "./apply-patch.ts";
import { refuse } from "./faults.ts";
import { TOOLS, type ToolHost, type ToolName, type ToolRow } from "./tool-table.ts";

export type { ToolHost, ToolName } from "./tool-table.ts";

export const TOOL_NAMES = Object.keys(TOOLS) as ToolName[]; // keys of the literal above
/** Every spelling a matcher can name, canonical ones first. */
export const KNOWN_TOOL_NAMES: readonly string[] = [...new Set([...TOOL_NAMES, ...TOOL_NAMES.flatMap(spellings)])];

const MCP = /^mcp__[^\s]{1,200}?__[^\s]{1,200}$/;

export function isMcpTool(name: string): boolean {
  return MCP.test(name);
}

/**
 * Canonical name of what a host (any, when none is given) calls a tool; a name that no table has stays as it is. MCP tools are
 * spelt `mcp__s__t`, on Gemini `mcp_s_t`, on Kiro `@s/t`.
 */
export function canonicalTool(name: string, host?: ToolHost): string {
  const row =
    TOOL_NAMES.find((tool) => tool === name) ?? TOOL_NAMES.find((tool) => calledBy(tool, host).includes(name));
  if (row) return row;
  if (isMcpTool(name)) return name;
  const spelt = host === "kiro" ? /^@([^/\s]+)\/(\S+)$/ : host === "gemini" ? /^mcp_([^_\s]+)_(\S+)$/ : undefined;
  const [, server, tool] = spelt?.exec(name) ?? [];
  return server && tool ? `mcp__${server}__${tool}` : name;
}

/** What a matcher is tried against: the canonical name, the tools it stands for too, and every host's spelling. */
export function toolSubjects(tool: string, hostName: string = tool): string[] {
  const canonical = canonicalTool(tool);
  const meant = [canonical, ...(rowOf(canonical)?.also ?? [])];
  return [...new Set([tool, ...meant, ...meant.flatMap(spellings), ...serverAliases(tool), hostName])];
}

const MAX_SERVER_ALIASES = 8;

/** A server that a plugin brings is `plugin_<plugin>_<server>`; a matcher names the server. Either part may hold underscores. */
function serverAliases(tool: string): string[] {
  const [, server, name] = /^mcp__plugin_(.+?)__(.+)$/.exec(tool) ?? [];
  const parts = server?.split("_") ?? [];
  return parts.slice(1, MAX_SERVER_ALIASES).map((_, n) => `mcp__${parts.slice(n + 1).join("_")}__${name}`);
}

export type HookShape = { input: Readonly<Record<string, unknown>>; fault?: Fault };

/**
 * A tool's input in its hook shape: paths absolute, `changes` read from the patch, every other key as it came. An input that
 * hasn't the shape comes back with a fault; the input is then the host's own, so that a guard still sees something.
 */
export function hookShape(tool: string, input: Readonly<Record<string, unknown>>, cwd: string): HookShape {
  const row = rowOf(tool);
  if (!row) return { input };
  if (tool === "apply_patch") return patchShape(input, cwd);
  const shaped: Record<string, unknown> = { ...input };
  for (const field of row.paths) {
    const path = shaped[field];
    if (typeof path === "string" && path !== "") shaped[field] = resolve(cwd, path);
  }
  const issue = row.shape.safeParse(shaped).error?.issues[0];
  if (!issue) return { input: shaped };
  return { input: shaped, fault: refuse("E_TOOL_SHAPE", { tool, path: issue.path.join("."), found: issue.message }) };
}

function patchShape(input: Readonly<Record<string, unknown>>, cwd: string): HookShape {
  if (typeof input.patch !== "string")
    return {
      input: { ...input, changes: null },
      fault: refuse("E_TOOL_SHAPE", { tool: "apply_patch", path: "patch" }),
    };
  const read = readPatch(input.patch, cwd);
  const shaped = { ...input, changes: read.changes };
  return read.changes === null ? { input: shaped, fault: read.fault } : { input: shaped };
}

function rowOf(tool: string): ToolRow | undefined {
  return Object.hasOwn(TOOLS, tool) ? TOOLS[tool as ToolName] : undefined; // hasOwn says so
}

function calledBy(tool: ToolName, host: ToolHost | undefined): readonly string[] {
  const called: ToolRow["called"] = TOOLS[tool].called;
  return host === undefined ? Object.values(called).flat() : (called[host] ?? []);
}

/** Other spellings, without those that differ from a canonical name in case only: `bash` as a matcher is a mistake. */
function spellings(tool: string): string[] {
  const canonical = new Set(TOOL_NAMES.map((name) => name.toLowerCase()));
  return Object.values(rowOf(tool)?.called ?? {})
    .flat()
    .filter((name) => !canonical.has(name.toLowerCase()));
}
