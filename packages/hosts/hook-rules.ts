import type { AttachableHost } from "./settings.ts";

/** How a host reads hooks of anybody's in its own settings: enough to say which of them can never do what they were written for. */
export type HookRules = {
  host: AttachableHost;
  /** Names of its tools, as its matchers are tried on them; MCP tools apart. */
  tools: readonly string[];
  /** It may have more tools than those: nothing is never asked for its matcher's sake. */
  isOpen?: true;
  /** Its events, where our adapter reads other hosts' names as well. */
  events?: readonly string[];
  /** Whether a matcher fits a tool's name at an event of the host's; undefined: the host can't read it. */
  matches: (matcher: string, tool: string, event?: string) => boolean | undefined;
  /** Whether a matcher that elsewhere means every tool means none here. */
  emptyIsNone?: (event: string) => boolean;
  unit: "s" | "ms";
  /** Types of hooks that it runs. */
  types: readonly string[];
  /** Fields of one hook that it drops without a word. */
  dropped: readonly string[];
  /** Fields of one hook for which it does not run the hook at all. */
  skipped?: readonly string[];
  /** What of an answer it does not read, where the command's own text shows it. `at`: only at these of its events. */
  lost: readonly LostAnswer[];
};

/** Of a host whose hooks are programs, with no matchers, units or answers to read: what is known is which tools there are. */
export function toolsOnly(host: AttachableHost, tools: string): HookRules {
  const matches = (matcher: string, tool: string) => matcher === tool;
  return { host, tools: tools.split(" "), matches, unit: "s", types: [], dropped: [], lost: [] };
}

export type LostAnswer = { sign: RegExp; unless?: RegExp; at?: RegExp; why: string };

/** Answers that several hosts do not read. */
export const LOST = {
  exitOne: {
    sign: /\bexit 1\b|process\.exit\(1\)|sys\.exit\(1\)/,
    unless: /\bexit 2\b|exit\(2\)|permissionDecision|"decision/,
    why: "exit 1 is no refusal here: only exit 2 with a text on stderr is",
  },
  silentTwo: {
    sign: /^(?!.*(>&2|stderr|\/dev\/stderr)).*\bexit 2\b/s,
    why: "exit 2 without a text on stderr is no refusal here",
  },
  topLevelDeny: {
    sign: /"(decision)\\?"\s*:\s*\\?"deny/,
    why: 'a top-level decision "deny" is not read here: hookSpecificOutput.permissionDecision is',
  },
  ask: {
    sign: /permissionDecision\\?"\s*:\s*\\?"ask/,
    why: '"ask" is a broken answer here, and the call goes on',
  },
} as const satisfies Readonly<Record<string, LostAnswer>>;

/** A list of exact names where it is one; undefined where it is an expression. */
export function listed(matcher: string, alphabet: RegExp, separator: RegExp, tool: string): boolean | undefined {
  if (!alphabet.test(matcher)) return undefined;
  return matcher
    .split(separator)
    .map((name) => name.trim())
    .includes(tool);
}

const MAX_MATCHER_CHARS = 200;

/** By JavaScript's expressions; those of Rust that differ are rare. Names are short, and so is what we try. */
export function tried(matcher: string, tool: string): boolean | undefined {
  if (matcher.length > MAX_MATCHER_CHARS || /[+*]\)[+*{]/.test(matcher)) return undefined;
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return undefined;
  }
}
