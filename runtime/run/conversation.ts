import type { CheckedFrame } from "./worker-frames.ts";

/** Why a conversation is over: the worker's last word, or what it did instead. */
export type Verdict =
  | { said: "answer"; answer: unknown }
  | { said: "failed"; why: string; detail?: string }
  | { said: "late"; detail?: string };

export const CALL_ID = 1;
const MAX_RPCS = 1000;
const MAX_LOG_CHARS = 65_536;

/** One call's state: ready comes first and once, every id is the call's own, the first last word counts. */
export class Conversation {
  readonly over: Promise<Verdict>;
  readonly notes: string[] = [];
  log = "";
  isReady = false;
  #end: (verdict: Verdict) => void = () => {};
  #rpcs = 0;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #request: Uint8Array;

  constructor(send: (bytes: Uint8Array) => void, request: Uint8Array) {
    this.#send = send;
    this.#request = request;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  end(verdict: Verdict): void {
    this.#end(verdict);
  }

  take(frame: CheckedFrame): void {
    if ("ready" in frame) this.#begin();
    else if (!this.isReady || frame.id !== CALL_ID) throw new Error("not the call that was made");
    else if ("rpc" in frame) this.#serve(frame);
    else if ("answer" in frame) this.end({ said: "answer", answer: frame.answer });
    else
      this.end({ said: "failed", why: frame.failed, ...(frame.detail === undefined ? {} : { detail: frame.detail }) });
  }

  #begin(): void {
    if (this.isReady) throw new Error("ready twice");
    this.isReady = true;
    this.#send(this.#request);
  }

  #serve({ rpc, n, args }: Extract<CheckedFrame, { rpc: unknown }>): void {
    if (n !== ++this.#rpcs || n > MAX_RPCS) throw new Error("a request out of turn");
    const reply = rpc === "log" ? this.#write(args) : this.#deny(rpc);
    this.#send(new TextEncoder().encode(`${JSON.stringify({ id: CALL_ID, n, ...reply })}\n`));
  }

  #write(args: unknown) {
    const line = typeof args === "string" ? args : JSON.stringify(args);
    this.log = `${this.log}${line}\n`.slice(0, MAX_LOG_CHARS);
    return { ok: null };
  }

  #deny(rpc: string) {
    const note = `E_CAPABILITY: ${rpc}`;
    if (!this.notes.includes(note)) this.notes.push(note);
    return { error: { code: "E_CAPABILITY", message: `${rpc} was not approved` } };
  }
}
