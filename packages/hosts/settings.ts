import type { HostName } from "./adapter.ts";

/** Hosts that keep their hooks in settings of their own. */
export type AttachableHost = Exclude<HostName, "native">;

/** One entry of ours in a host's settings: the same for everybody, for ever. On Codex any change of it loses the person's trust. */
export type Entry = {
  /** The host's own name of the event. */
  event: string;
  /** The tool has not run yet: whatever ends the entry but 0 and 2 is made a refusal where a guard is closed. */
  guards: boolean;
  /** In the host's own unit. */
  timeout: number;
  /** What only this host has. */
  fields?: Readonly<Record<string, unknown>>;
};

export type HostSettings = {
  host: AttachableHost;
  /** The command that a person starts. */
  program: string;
  /** Its folder below the person's home: there when the host was used. */
  folder: string;
  /** What `attach` writes below the person's home: an entry in a file with other things in it, or an extension of its own. */
  personal: { kind: "file"; path: string } | { kind: "extension"; path: string; manifest: string; hooks: string };
  /** Below a project's root. */
  shared: string;
  /** Whether the host reads past comments; where it does not, a file with one is no settings at all to it. */
  comments: boolean;
  entries: readonly Entry[];
  /** What this host cannot do, one line each. */
  limits: readonly string[];
  /** The refusal of an entry that could not ask, beside exit 2, which every host obeys when there is a text with it. */
  refusal: (sentence: string, event: string) => { to: "stdout" | "stderr"; text: string };
  /** Why the host would not read this file or not run its hooks: one line; undefined when it would. */
  fault?: (settings: Readonly<Record<string, unknown>>) => string | undefined;
};

/** A group as all of these hosts take it: no matcher, one command. */
export type Group = { hooks: [Record<string, unknown>] };

export function groupOf({ timeout, fields }: Entry, command: string): Group {
  return { hooks: [{ type: "command", command, timeout, ...fields }] };
}

/** Why Claude Code and Codex would void more than the faulty entry: a group that is no group. */
export function faultyGroup(
  settings: Readonly<Record<string, unknown>>,
  events: readonly string[],
): string | undefined {
  const hooks = settings.hooks;
  if (typeof hooks !== "object" || hooks === null) return undefined;
  const all: Readonly<Record<string, unknown>> = { ...hooks };
  for (const event of events)
    for (const group of Array.isArray(all[event]) ? all[event] : [])
      if (!isGroup(group)) return `an entry of hooks.${event} is faulty, and the host drops the whole file for it`;
  return undefined;
}

function isGroup(group: unknown): boolean {
  if (typeof group !== "object" || group === null || !("hooks" in group) || !Array.isArray(group.hooks)) return false;
  if ("matcher" in group && typeof group.matcher !== "string") return false;
  return group.hooks.every(
    (hook: unknown) => typeof hook === "object" && hook !== null && "type" in hook && typeof hook.type === "string",
  );
}
