import { canonicalTool, isError, isMcpTool, matcherProblems, matches, parseMatcher } from "@hookpkg/spec";
import type { HookSource } from "./hook-source.ts";

/** A matcher as hookpkg reads it, undefined for one that takes everything. `drops`: why nothing of it is left. */
export type CanonicalMatcher = { matcher?: string; notes: readonly string[]; drops?: string };

/** What a host's matcher for tools means, in canonical names. Names that no call carries are left out, and said. */
export function canonicalMatcher(text: string | null, source: HookSource): CanonicalMatcher {
  const plain = (text ?? "").trim();
  if (["", "*", ".*", "^.*$"].includes(plain)) return { notes: [] };
  const isList = /^[A-Za-z0-9_|, -]*$/.test(plain);
  if (!isList && speaksCanonical(source)) return expression(plain, source);
  const parts = partsOf(plain).map((part) => partOf(part, plain, source));
  const notes = parts.flatMap(({ note }) => note ?? []);
  if (parts.some(({ anywhere }) => anywhere === true))
    notes.push(`${source.adapter.name} finds these words in other names, too, such as those of MCP servers' tools`);
  const kept = [...new Set(parts.flatMap(({ names }) => names))];
  if (kept.length === 0) return { notes, drops: notes.join("; ") || "its matcher names nothing" };
  const areNames = kept.every((name) => PLAIN.test(name));
  return { matcher: kept.map((name) => (areNames || !PLAIN.test(name) ? name : `^${name}$`)).join("|"), notes };
}

/** `anywhere`: its host looks for it in names of other tools, too. */
type Part = { names: readonly string[]; note?: string; anywhere?: boolean };

const PLAIN = /^[A-Za-z0-9_-]+$/;

/** Whether the host calls its tools as hookpkg does. */
export function speaksCanonical({ rules }: HookSource): boolean {
  return rules.tools.includes("Bash");
}

/** One that RE2 reads means the same here; of another the names are kept that it is known to fit. */
function expression(text: string, source: HookSource): CanonicalMatcher {
  if (isReadable(text) && readsTheSame(text, source)) return { matcher: text, notes: [] };
  const servers = source.rules.matches(text, "mcp__server__tool") === true ? ["^mcp__"] : [];
  const fits = [...fitting(text, source).map((name) => (servers.length > 0 ? `^${name}$` : name)), ...servers];
  const said = `${quoted(text)} is another expression here, or none`;
  if (fits.length === 0)
    return { notes: [], drops: `${said}, and fits no tool that ${source.adapter.name} is known to have` };
  return { matcher: fits.join("|"), notes: [`${said}: taken as ${fits.join(", ")}`] };
}

/** Split where a list or a plain expression has its alternatives. */
function partsOf(text: string): string[] {
  const inner = (/^\^?\(([^()]*)\)\$?$/.exec(text)?.[1] ?? text).replace(/^\?:/, "");
  if (/[()[\]\\{}]/.test(inner)) return [text];
  return inner
    .split(/[|,]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function partOf(part: string, whole: string, source: HookSource): Part {
  const anywhere = isAnywhere(part, whole, source);
  const mcp = mcpOf(part, source);
  if (mcp !== undefined) return { names: [anywhere ? inside(mcp) : mcp] };
  const fits = speaksCanonical(source) ? [] : fitting(part, source);
  if (fits.length > 0) {
    if (PLAIN.test(part)) return { names: fits, anywhere };
    return { names: fits, note: `${quoted(part)} is taken as ${fits.join(", ")}` };
  }
  const name = canonicalTool(part, source.tools);
  return anywhere && !isKnown(name, source) ? { names: [inside(name)] } : named(name, source);
}

/** Whether the host looks for this word anywhere in a tool's name. */
function isAnywhere(part: string, whole: string, { rules }: HookSource): boolean {
  return PLAIN.test(part) && rules.matches(whole, `x${part}x`) === true;
}

function isKnown(name: string, { rules, tools }: HookSource): boolean {
  return rules.tools.some((tool) => canonicalTool(tool, tools) === name);
}

/** A word that is found anywhere; parentheses make an expression of it. */
function inside(word: string): string {
  return PLAIN.test(word) ? `(${word})` : word;
}

/** The host tries an expression on its own names: which of them it fits is what it means. */
function fitting(text: string, { rules, tools }: HookSource): string[] {
  const fits = rules.tools.filter((tool) => rules.matches(text, tool) === true);
  return [...new Set(fits.map((tool) => canonicalTool(tool, tools)))];
}

/**
 * Gemini spells a server's tools `mcp_server_tool`, everybody else `mcp__server__tool`; what stands behind may be an expression. Where the
 * server's name ends can't be told when there is more than one `_`.
 */
function mcpOf(part: string, { tools }: HookSource): string | undefined {
  if (!/^\^?mcp_/.test(part) || !isReadable(part)) return undefined;
  if (/^\^?mcp__/.test(part) || tools !== "gemini") return part;
  const [, start = "", server = "", rest = ""] = /^(\^?)mcp_([A-Za-z0-9-]+)(?:_(.*))?$/.exec(part) ?? [];
  if (server === "") return `${start}mcp__.*`;
  const isClear = !/_\w/.test(rest);
  return `${start}mcp__${server}${isClear ? "__" : "__?"}${rest.replace(/_(?=\w)/g, "__?") || ".*"}`;
}

function named(name: string, { adapter }: HookSource): { names: readonly string[]; note?: string } {
  const isNone =
    !isReadable(name) || (!isMcpTool(name) && matcherProblems(parseMatcher(name), "matcher").some(isError));
  return isNone ? { names: [], note: `${quoted(name)} is no tool of ${adapter.name}` } : { names: [name] };
}

/** Some signs mean one thing to RE2 and another to the host's expressions: `\a` is a bell, or an a. */
function readsTheSame(text: string, { rules }: HookSource): boolean {
  const here = parseMatcher(text);
  return rules.tools.every((tool) => rules.matches(text, tool) !== true || matches(here, [tool]));
}

function isReadable(text: string): boolean {
  try {
    parseMatcher(text);
    return true;
  } catch {
    return false;
  }
}

function quoted(part: string): string {
  return JSON.stringify(part.slice(0, 100));
}
