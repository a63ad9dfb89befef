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

/** A file in which this host looks for hooks: below the person's home, a project's root, or at the machine's absolute path. `/*.json`: each there. */
export type HookFile = {
  scope: "personal" | "project" | "machine";
  path: string;
  form: "json" | "toml";
  /** It is read without the host's `head`. */
  bare?: true;
};

export type HostSettings = {
  host: AttachableHost;
  /** The command that a person starts. */
  program: string;
  /** The npm package that this command is of, where it comes as one. */
  npm?: string;
  /** Its folder below the person's home: there when the host was used. */
  folder: string;
  /** The variable that names another folder than this, or than one above it: the host goes by it, hookpkg never does. */
  folderVariable?: { name: string; folder: string };
  /** Files of a project from which it hands variables to hooks. */
  environment?: readonly string[];
  /** What `attach` writes below the person's home: an entry in a file with other things in it, or an extension of its own. */
  personal:
    | { kind: "file"; path: string }
    | { kind: "extension"; path: string; manifest: string; hooks: string }
    /** A folder for files that are wholly ours: this host has no entries, and the files ask for it. */
    | { kind: "shims"; path: string };
  /** Below a project's root: the same kind of thing. */
  shared: string;
  /** What this host reads beside `hooks` in a file of its own, without which it reads none of it. */
  head?: Readonly<Record<string, unknown>>;
  /** Whether entries stand in the event's list themselves, in no group. */
  flat?: boolean;
  /** Whose entries this host runs: it reads the settings of that one. */
  runs?: AttachableHost;
  /** The files of a host that has no entries, from the commands that these would hold. */
  shims?: (commands: Readonly<Record<string, string>>) => readonly Shim[];
  /** The command by which those files, as they stand, ask at one of its events; undefined: none of them does. */
  shimCommand?: (files: readonly { path: string; text: string }[], event: string) => string | undefined;
  /** Every settings file in which it looks for hooks, in its own order; plugins and extensions apart. */
  reads: readonly HookFile[];
  /** Folders below the person's home that hold plugins or extensions; each has its hooks in `hooks/hooks.json`. */
  plugins: readonly { folder: string; depth: number }[];
  /** Whether the host reads past comments; where it does not, a file with one is no settings at all to it. */
  comments: boolean;
  entries: readonly Entry[];
  /** What this host cannot do, one line each. */
  limits: readonly string[];
  /** The refusal of an entry that could not ask, in the form that every version of the host obeys. */
  refusal: Refusal;
  /** The same for versions that are known to refuse for the exit code, where others do not. */
  exitRefusal?: Refusal;
  /**
   * Why the host would not read this file or not run its hooks: one line; undefined when it would. `form`: of the file, JSON where nothing
   * is said; what may stand beside the hooks differs by it.
   */
  fault?: (settings: Readonly<Record<string, unknown>>, form?: HookFile["form"]) => string | undefined;
};

/** What an entry prints, and how it ends: with 2 where nothing else is said, which most hosts obey when there is a text with it. */
export type Refusal = (sentence: string, event: string) => { to: "stdout" | "stderr"; text: string; exit?: 0 };

/** A file that is wholly ours, in the folder that its host loads such files from. */
export type Shim = { name: string; text: string; mode: number };

/** Stands in every such file: whoever finds one knows whose it is, and so do we. */
export const SHIM_MARK = "written by `hookpkg attach` and taken away by `hookpkg detach`";

/** A group as most hosts take it, with no matcher and one command, or the bare entry of hosts that know no groups. */
export type Group = Readonly<Record<string, unknown>>;

export function groupOf({ timeout, fields }: Entry, command: string, { flat }: Pick<HostSettings, "flat"> = {}): Group {
  const entry = { type: "command", command, timeout, ...fields };
  return flat ? entry : { hooks: [entry] };
}

/** The commands of a group or bare entry of whoever wrote it. */
export function commandsIn(group: unknown): string[] {
  if (typeof group !== "object" || group === null) return [];
  const entries: unknown[] = "hooks" in group && Array.isArray(group.hooks) ? group.hooks : [group];
  return entries.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "command" in entry && typeof entry.command === "string"
      ? [entry.command]
      : [],
  );
}

/** One entry for each of a host's events, by its seconds; those that can stop a call guard. */
export function entriesFor(seconds: Readonly<Record<string, number>>): HostSettings["entries"] {
  return Object.entries(seconds).map(([event, timeout]) => ({ event, guards: GUARDED.has(event), timeout }));
}

const GUARDED: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"]);

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
