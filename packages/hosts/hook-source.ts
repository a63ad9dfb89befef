import type { Placeholder, ToolHost } from "@hookpkg/spec";
import type { HostAdapter } from "./adapter.ts";
import type { HookRules } from "./hook-rules.ts";

import type { HostSettings } from "./settings.ts";

/**
 * How a host's hooks are handed on, and in which words they are written: all that an import of them needs to know beside the
 * adapter's events and tools.
 */
export type HookSource = {
  adapter: HostAdapter;
  settings: HostSettings;
  rules: HookRules;
  /** Manifests of its plugins or extensions that it reads, below their folder, in its order. */
  manifests: readonly string[];
  /** The one among them that no other host has: who finds it knows whose plugin it is. */
  ownManifest?: string;
  /** `both`: hooks of the manifest and of hooks/hooks.json run; otherwise which of the two is read where both have some. */
  twoPlaces: "both" | "file" | "manifest";
  /** Whether the manifest may hold or name hooks at all. */
  manifestHooks: boolean;
  /** Numbers of a timeout from this one on are milliseconds, where the rules say seconds. */
  millisecondsFrom?: number;
  /** Seconds that a hook has which names none; a prompt's or the session's end may have less. */
  defaultTimeoutS: number;
  /** Whose spellings of tools it uses. */
  tools: ToolHost;
  answers: "lenient" | "strict";
  /** What it puts in the place of `${NAME}` and `$NAME` in a command, beside our own three and their CLAUDE_ twins. */
  places: Readonly<Record<string, Placeholder | "/">>;
  /** Variables that it alone sets: not to be asked of a person's environment. */
  variables: RegExp;
  /** The shell of its commands, where it is not sh. */
  shell?: "bash";
  /** The exit from which on any is a refusal, as 2 is. */
  refusesFrom?: number;
  /** Whether an answer may stand on stderr, where stdout is empty. */
  hearsStderr?: true;
  /** A tool's call that it tells in other words: what shows that a hook reads them, and how sed puts ours back into them. */
  tells?: { tools: readonly string[]; sign: RegExp; sed: string; what: string };
  /** What it reads in an answer and hookpkg does not: what shows it in a text, whether it is a rewrite, how sed puts it in our words. */
  says?: readonly { sign: RegExp; patches?: true; sed: string }[];
  /** Whether its config.toml may have a `notify`, a program of old that is told of a turn's end. */
  notifies?: true;
  /** Whether `if` is a text to be found in the input instead of a pattern. */
  ifIsPart?: true;
  /** What its hooks may say or read that has another meaning here, where their own text shows it. */
  differs: readonly { sign: RegExp; why: string }[];
};

/** Codex and its kin tell of a patch as of a command. */
export const PATCH_AS_COMMAND = {
  tools: ["apply_patch", "Write", "Edit"],
  sign: /\bcommand\b/,
  sed: '/"tool_name":"apply_patch"/s/"patch":"/"command":"/\n',
  what: "tool_input.command",
} as const;

/** A question is asked below the event's name here, not at the top. */
export const ASK_AT_THE_TOP = {
  sign: /["']?decision\\?["']?\s?:\s?\\?["']ask/,
  sed: 's/"decision"[[:space:]]*:[[:space:]]*"ask"/"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}/',
};

/** A timeout in its host's unit, in seconds. */
export function inSeconds({ rules, millisecondsFrom }: HookSource, timeout: number): number {
  const isMs = rules.unit === "ms" || (millisecondsFrom !== undefined && timeout >= millisecondsFrom);
  return isMs ? timeout / 1000 : timeout;
}
