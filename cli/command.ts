import type { HostReply } from "@hookpkg/hosts";
import type { Exit } from "@hookpkg/spec";
import type { Terminal } from "./terminal.ts";

/** A flag of a command. `value` names what it takes; without it the flag is a switch. */
export type Flag = { name: string; short?: string; value?: string; many?: true; help: string };

/** What a command is told: its own words, the global flags, the world. */
export type Call = {
  args: readonly string[];
  flags: Flags;
  /** Folder the command was started in; a real path. */
  cwd: string;
  /** `--home`, absolute; undefined means the person's own folders. */
  home: string | undefined;
  /** `--project`, absolute; undefined means: look for it from the cwd. */
  project: string | undefined;
  /** Names and values of the environment. Only the trust refusals and host adapters may look. */
  env: Readonly<Record<string, string | undefined>>;
  terminal: Terminal;
  /** Stdin, when it was read already. */
  stdin?: Uint8Array;
};

export type Flags = {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  on(name: string): boolean;
};

/**
 * What a command gives: its data for `--json`, the same in lines for people, an exit code when it is not 0. `printed`: it runs
 * long and has said so itself, while it ran. `reply`: exactly these bytes for a host and this exit code, and nothing else; `after` is done when they are out.
 */
export type Done<T> = {
  data: T;
  lines: readonly string[];
  exit?: Exit;
  printed?: true;
  reply?: HostReply;
  after?: () => Promise<void>;
};

/** One command as data. The body is loaded when it is called: hosts start this program on every event. */
export type Command = {
  name: string;
  aliases?: readonly string[];
  group: "start" | "project" | "trust" | "author" | "registry" | "host" | "look";
  /** Its words in the help; "": it takes none, and is not begun with any. */
  args: string;
  help: string;
  flags: readonly Flag[];
  examples: readonly string[];
  load: () => Promise<{ run: (call: Call) => Promise<Done<unknown>> }>;
};

export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: "project", value: "DIR", help: "the project, instead of the folder hookpkg is started in" },
  { name: "home", value: "DIR", help: "keep hookpkg's own folders below DIR" },
  { name: "registry", value: "URL", help: "the registry to use" },
  { name: "json", help: "print one JSON document" },
  { name: "quiet", short: "q", help: "print nothing but results" },
  { name: "yes", short: "y", help: "take the answer that is suggested (never for approve)" },
  { name: "offline", help: "use no network" },
  { name: "help", short: "h", help: "show this help" },
];
