import { canonicalTool } from "@hookpkg/spec";
import { speaksCanonical } from "./canonical-matcher.ts";
import type { HookSource } from "./hook-source.ts";
import { knownEvent } from "./reach.ts";

/** How a host's own words are put back into an event of ours; null where it has none of its own. */
export type HostWords = {
  /** A script for sed. It reads the event as one line of JSON, in which a quote inside a text is never bare. */
  sed: string;
  /** The words that a hook must speak of, to need it. */
  words: readonly string[];
} | null;

/** What hooks of this host are told in other words than ours: tools and events. Answers are read under both names. */
export function hostWords(source: HookSource): HostWords {
  if (speaksCanonical(source)) return null;
  const { adapter, rules, tools } = source;
  const renamed = [
    ...pairs(rules.tools, (tool) => canonicalTool(tool, tools)).map((pair) => ["tool_name", ...pair] as const),
    ...pairs(rules.events ?? [], (event) => knownEvent(adapter, event) ?? event).map(
      (pair) => ["hook_event_name", ...pair] as const,
    ),
  ];
  const lines = renamed.map(([key, theirs, ours]) => `s/"${key}":"${ours}"/"${key}":"${theirs}"/g`);
  const mcp = tools === "gemini" ? ['s/"tool_name":"mcp__\\([^"]*\\)__\\([^"]*\\)"/"tool_name":"mcp_\\1_\\2"/g'] : [];
  return { sed: `${[...lines, ...mcp].join("\n")}\n`, words: renamed.map(([, theirs]) => theirs) };
}

/** Their name and ours, the first of theirs where several are one of ours. */
function pairs(theirs: readonly string[], ours: (name: string) => string): (readonly [string, string])[] {
  const all = theirs.map((name) => [name, ours(name)] as const);
  return all.filter(
    ([name, canonical], at) => name !== canonical && all.findIndex(([, one]) => one === canonical) === at,
  );
}
