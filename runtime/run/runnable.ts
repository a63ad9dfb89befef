import type { Capabilities, Handler, ModelSize, Payload, Sha256 } from "@hookpkg/spec";
import type { ModelClient } from "../model/client.ts";
import type { NetOutside } from "../net/outside.ts";
import type { Emit } from "../notice/trigger.ts";
import type { MemoryFile } from "../sandbox/profile.ts";
import type { Availability } from "../sandbox/self-test.ts";
import type { Workers } from "./workers.ts";

/** A handler with everything that it may load: the bytes that were hashed, papers and declarations left out. */
export type RunnableHandler = {
  handler: Handler;
  capabilities: Capabilities;
  files: readonly MemoryFile[];
  /** Whose it is, for workers that are kept between calls: the package and the digest of `files`. */
  kept?: { source: string; closure: Sha256 };
};

/** One event for one handler. Paths are absolute; the payload is as patched so far. */
export type HandlerCall = {
  payload: Payload;
  /** The effective options that were approved. */
  options: Readonly<Record<string, unknown>>;
  /** Values of the granted variables; others are dropped. */
  env: Readonly<Record<string, string>>;
  host: string;
  /** The project's root; absent for events outside every registered project. */
  project?: string;
  /** An empty folder that stands for project and home, whatever they are called: nothing else of the host counts as read or written. */
  standIn?: string;
  /** The person's home, for rights that begin with `~/`. */
  home: string;
  /** Where this package keeps its data for this project; made when a command first runs. */
  dataFolder: string;
  recheck: boolean;
  /** What is left for it, in milliseconds, when that is less than the handler's own timeout. */
  timeoutMs?: number;
};

export type RunDeps = {
  sandbox: Availability;
  /** hookpkg's own folders: never shown, whatever was granted. */
  hidden: readonly string[];
  /** The network outside; absent: the real one. `offline`: no network right counts. */
  net?: NetOutside;
  offline?: boolean;
  /** The person's model or the embedder's; absent: none is configured. */
  model?: ModelClient;
  /** Begins the turn of a trigger; absent: nobody can. */
  trigger?: (prompt: string, model: ModelSize, signal: AbortSignal) => Promise<void>;
  /** Takes a notice that the handler tells; absent: nobody listens. */
  emit?: Emit;
  /** Ends what has a process of its own; absent: only its time does. */
  signal?: AbortSignal;
  /** Workers that are kept; without them every call has a process of its own. */
  workers?: Workers;
};
