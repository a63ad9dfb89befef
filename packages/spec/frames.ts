import type { PatchFields } from "./answer.ts";
import type { EventName } from "./event.ts";
import type { Payload } from "./payload.ts";

/** One line of the worker's wire is at most this long, in bytes. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
/** A worker says that it is ready within this time, in milliseconds. */
export const READY_MS = 10_000;

/** Host → worker: one call. */
export type CallFrame = {
  id: number;
  call: "handle";
  event: EventName;
  /** The handler's id, and the module that it is: one worker serves all modules of its package. */
  handler: string;
  module?: string;
  /** The host's name, and the project's root. */
  host: string;
  project: string;
  payload: Payload;
  options: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string>>;
  deadlineMs: number;
  recheck: boolean;
};

/** Host → worker: the result of an RPC. */
export type RpcResult =
  | { id: number; n: number; ok: unknown }
  | { id: number; n: number; error: { code: string; message: string } };

/** Worker → host. The answer is untrusted until the answer parser has read it. */
export type WorkerFrame =
  | { ready: 1 }
  | { id: number; answer: unknown }
  | { id: number; failed: string; detail?: string }
  | { id: number; rpc: "fetch" | "storage" | "log" | "emit" | "complete"; n: number; args: unknown };

export type { PatchFields };
