import { isFault } from "@hookpkg/fault";
import { refuse } from "../faults.ts";
import { storageFolder } from "../gate/gate.ts";
import { Denials } from "../net/denials.ts";
import type { Net } from "../net/dial.ts";
import { emitted, MAX_EMITTED_A_CALL } from "../notice/emitted.ts";
import type { Run } from "./command.ts";
import type { CheckedFrame } from "./worker-frames.ts";

export type Asked = Exclude<Extract<CheckedFrame, { rpc: unknown }>["rpc"], "log">;

const MAX_AT_ONCE = 8;

/** Serves what a module or service asks for during one call. Rights are checked here: inside nobody could. */
export class Desk {
  readonly denied = new Denials();
  readonly #run: Run;
  #control: AbortController | undefined;
  #open = 0;
  #completions = 0;
  #emitted = 0;
  #isOver = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Throws a fault, whose code is what the handler sees. E_CAPABILITY for what was not approved. */
  async serve(rpc: Asked, args: unknown): Promise<unknown> {
    if (rpc === "emit") return this.#emit(args);
    if (this.#open >= MAX_AT_ONCE) throw refuse("E_NET_REQUEST", { atOnce: MAX_AT_ONCE });
    this.#open++;
    try {
      if (rpc === "fetch") return await this.#fetch(args);
      if (rpc === "storage") return await this.#storage(args);
      if (rpc === "complete" && this.#run.runnable.capabilities.model) return await this.#complete(args);
    } finally {
      this.#open--;
    }
    this.denied.add(`${rpc}: not approved`);
    throw refuse("E_CAPABILITY", { right: rpc === "complete" ? "model" : rpc });
  }

  /** At once: the handler's answer may be its next word. What is not taken is journaled, for a handler that does not look. */
  #emit(args: unknown): null {
    const [name, data] = Array.isArray(args) ? args : [];
    try {
      const notice = emitted(name, data);
      if (++this.#emitted > MAX_EMITTED_A_CALL) throw refuse("E_EMIT_CALL", { max: MAX_EMITTED_A_CALL });
      this.#run.deps.emit?.(notice);
      return null;
    } catch (error) {
      this.denied.add(`emit ${typeof name === "string" ? name : typeof name}: ${isFault(error) ? error.code : error}`);
      throw error;
    }
  }

  /** The call is over: nothing goes on for it. */
  close(): void {
    this.#isOver = true;
    this.#control?.abort();
  }

  async #fetch(args: unknown): Promise<unknown> {
    const { fetchFor } = await import("../net/fetch.ts"); // lazy: few handlers have the right
    const net = await netFor(this.#run, this.denied);
    return await fetchFor(args, net, this.#signal());
  }

  async #complete(args: unknown): Promise<unknown> {
    const { completion, MAX_COMPLETIONS } = await import("./completion.ts");
    if (++this.#completions > MAX_COMPLETIONS) throw refuse("E_MODEL_LIMIT", { anEvent: MAX_COMPLETIONS });
    return await completion(args, this.#run.deps.model, this.#signal());
  }

  #signal(): AbortSignal {
    this.#control ??= new AbortController();
    if (this.#isOver) this.#control.abort();
    return this.#control.signal;
  }

  async #storage(args: unknown): Promise<unknown> {
    const { call, runnable } = this.#run;
    const { serveStorage } = await import("./storage.ts");
    return await serveStorage(storageFolder(call.dataFolder), runnable.capabilities.limits.dataMiB, args);
  }
}

/** What this handler may reach, by its approved rights. */
export async function netFor({ runnable, deps }: Run, denied: Denials): Promise<Net> {
  const outside = deps.net ?? (await import("../net/outside.ts")).REAL_NET;
  return { allowed: deps.offline ? [] : runnable.capabilities.net, denied, outside };
}
