import { sorted } from "./capability.ts";
import { refuse } from "./faults.ts";
import type { Matcher } from "./handler.ts";
import { nearest, oneEdit, type Problem, problem } from "./problem.ts";
import { isMcpTool, KNOWN_TOOL_NAMES, TOOL_NAMES } from "./tool.ts";

/** Characters of a matcher; the expression it may be is compiled on the path of every event. */
export const MAX_MATCHER_LENGTH = 2000;
const MAX_COMPILED = 256;

const NAMES_ONLY = /^[A-Za-z0-9_\-|, ]*$/;

/**
 * The one reading of a matcher: absent, "" and "*" match everything (`null`); letters, digits, `_ - | ,` and
 * blanks are exact names; anything else is an RE2 expression, unanchored. E_MATCHER_REGEX when it is none.
 */
export function parseMatcher(text: string | undefined): Matcher {
  const plain = (text ?? "").trim();
  if (plain === "" || plain === "*") return null;
  if (plain.length > MAX_MATCHER_LENGTH)
    throw refuse("E_MATCHER_REGEX", { length: plain.length, max: MAX_MATCHER_LENGTH });
  if (!NAMES_ONLY.test(plain)) {
    compiled(plain);
    return { re2: plain };
  }
  const names = sorted(plain.split(/[|,]/).map((name) => name.trim())).filter((name) => name !== "");
  // Only separators: nothing was named, and "matches nothing" would be a guard that never runs.
  if (names.length === 0) throw refuse("E_MATCHER_REGEX", { found: plain.slice(0, 100) });
  return { names };
}

/** Whether any of the subjects (canonical name and aliases, or the reason of an event) is matched. Linear in their length. */
export function matches(matcher: Matcher, subjects: readonly string[]): boolean {
  if (matcher === null) return true;
  if ("names" in matcher) return subjects.some((subject) => matcher.names.includes(subject));
  const expression = compiled(matcher.re2);
  return subjects.some((subject) => expression.test(subject));
}

/** A matcher as people read it. */
export function matcherWords(matcher: Matcher): string {
  if (matcher === null) return "everything";
  return "names" in matcher ? matcher.names.join(", ") : `what matches /${matcher.re2}/`;
}

/** Names that a tool event will never carry: nearly a known tool is an error, anything else a warning. */
export function matcherProblems(matcher: Matcher, path: string): Problem[] {
  if (matcher === null || "re2" in matcher) return [];
  return matcher.names.flatMap((name): Problem[] => {
    const right = TOOL_NAMES.find((tool) => tool.toLowerCase() === name.toLowerCase());
    if (right === name) return [];
    if (right) return [problem("E_MATCHER_TOOL", path, name, right)];
    if (KNOWN_TOOL_NAMES.includes(name) || isMcpTool(name)) return [];
    if (name.startsWith("mcp_")) return [problem("W_MATCHER_TOOL", path, name, wholeServer(name))];
    const meant = KNOWN_TOOL_NAMES.find((known) => oneEdit(name, known));
    return meant
      ? [problem("E_MATCHER_TOOL", path, name, meant)]
      : [problem("W_MATCHER_TOOL", path, name, nearest(name, KNOWN_TOOL_NAMES))];
  });
}

/** The same for an event that goes by one of a few words, of which a host may have more. */
export function valueProblems(matcher: Matcher, values: readonly string[], path: string): Problem[] {
  if (matcher === null || "re2" in matcher) return [];
  return matcher.names.flatMap((name): Problem[] => {
    const meant = values.includes(name) ? undefined : values.find((value) => oneEdit(name, value));
    return meant ? [problem("E_MATCHER_VALUE", path, name, meant)] : [];
  });
}

/** `mcp__github` is the name of a server, which no call carries. */
function wholeServer(name: string): string | undefined {
  return /^mcp__[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/.test(name) ? `${name}__.*` : undefined;
}

type Expression = { test(text: string): boolean };
const cache = new Map<string, Expression>();

/** re2js is loaded by the first expression only: most chains have none, and every event pays for starting. */
function compiled(text: string): Expression {
  const known = cache.get(text);
  if (known) return known;
  const { RE2JS } = require("re2js") as typeof import("re2js"); // its own types
  try {
    const expression = RE2JS.compile(text);
    if (cache.size >= MAX_COMPILED) cache.clear();
    cache.set(text, expression);
    return expression;
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw refuse("E_MATCHER_REGEX", { found: text.slice(0, 200), detail }, cause);
  }
}
