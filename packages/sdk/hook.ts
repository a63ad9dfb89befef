import type { Answer, EventName } from "@hookpkg/spec";
import type { HookEvent } from "./payload.ts";

/** What a handler is told besides the payload. What was not approved throws `E_CAPABILITY` and is journaled. */
export type HookContext = {
  /** The host's name, such as `claude-code`. */
  host: string;
  /** The project's root, absolute. */
  project: string;
  session: string;
  turn: string | undefined;
  event: EventName;
  /** True when the chain asks once more, with the payload as the last patch left it. */
  recheck: boolean;
  /** The package's options as the project and the person set them. */
  options: Readonly<Record<string, unknown>>;
  /** Variables that were approved, by name. */
  env: Readonly<Record<string, string>>;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  log(...words: unknown[]): void;
  /**
   * A request to a host of `capabilities.net`; bodies up to 4 MiB. Rejects with a `code`: E_CAPABILITY for what was not approved, else
   * E_NET_…. A redirect to another host is followed only if that is declared too, without headers that could be secrets.
   */
  fetch(url: string | URL, init?: Pick<RequestInit, "method" | "headers" | "body">): Promise<Response>;
  /**
   * What the person's own model writes to `prompt`; needs `capabilities.model`, 8 an event, prompts up to 200,000 characters. What comes
   * from the event can talk to the model: its answer is advice, no proof. Rejects with a `code`: E_CAPABILITY for what was not approved,
   * E_MODEL_NONE where the person has no model, else E_MODEL_…, E_NET_LATE.
   */
  complete(prompt: string, options?: CompleteOptions): Promise<string>;
  /**
   * Tells `custom.<name>` to every handler of the project that reacts to it, with JSON of up to 64 KiB, 20 a call. It is told after the
   * decision, and what becomes of it is nobody's answer: nothing has to be awaited. Resolves when it was taken; rejects with E_EMIT_….
   */
  emit(name: `custom.${string}`, data?: unknown): Promise<void>;
  /** JSON values by key, kept for this package in this project; `limits.dataMiB` in all. */
  storage: Storage;
};

/** `model`: which of the person's two, small unless it is said; `maxTokens` of the answer: 1 to 8192, else 1024. */
export type CompleteOptions = { system?: string; model?: "small" | "large"; maxTokens?: number };

export type Storage = {
  /** undefined when there is none. */
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** Whether there was one. */
  delete(key: string): Promise<boolean>;
  list(prefix?: string): Promise<string[]>;
};

export type Said = Answer | undefined;

/** A module's default export. Nothing returned means continue. */
export type Hook<E extends HookEvent = HookEvent> = (payload: E, ctx: HookContext) => Said | Promise<Said>;

/** Gives the handler back as it is: it is there for the types. */
export function defineHook<E extends HookEvent = HookEvent>(handle: Hook<E>): Hook<E> {
  return handle;
}
