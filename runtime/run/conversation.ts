import { isFault } from "@hookpkg/fault";
import { redact } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Asked } from "./desk.ts";
import type { CheckedFrame } from "./worker-frames.ts";

/** How a call ended: the worker's last word, or what it did instead. */
export type Verdict =
  | { said: "answer"; answer: unknown }
  | { said: "failed"; why: string; detail?: string }
  | { said: "late"; detail?: string; isReady?: boolean };

/** A call's end with what came beside it. */
export type Said = { verdict: Verdict; log: string };

/** Who answers what a handler asks for during its call. */
export type Serve = (rpc: Asked, args: unknown) => Promise<unknown>;

const MAX_RPCS = 1000;
const MAX_LOG_CHARS = 65_536;

type Call = {
  id: number;
  end: (verdict: Verdict) => void;
  log: string;
  rpcs: number;
  isSent: boolean;
  text: string;
  serve: Serve;
};

/**
 * A worker's side of the wire as we hold it to it: ready comes first and once, one call is outstanding at a time, every id is that call's
 * own. `take` throws on anything else, and then the worker has to go.
 */
export class Conversation {
  isReady = false;
  #call: Call | undefined;
  #lastId = 0;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #onReady: () => void;

  constructor(send: (bytes: Uint8Array) => void, onReady: () => void) {
    this.#send = send;
    this.#onReady = onReady;
  }

  get isBusy(): boolean {
    return this.#call !== undefined;
  }

  /** One call; `body` is its frame without the id. It is sent when the worker is ready for it. */
  ask(body: string, serve: Serve): Promise<Said> {
    if (this.#call !== undefined) throw refuse("E_RUN_BROKEN", { found: "a second call" });
    const id = ++this.#lastId;
    const text = `{"id":${id},${body.slice(1)}\n`;
    return new Promise((resolve) => {
      const call: Call = { id, text, serve, log: "", rpcs: 0, isSent: false, end: () => {} };
      call.end = (verdict) => {
        this.#call = undefined;
        resolve({ verdict, log: call.log });
      };
      this.#call = call;
      if (this.isReady) this.#begin(call);
    });
  }

  /** Whatever is under way ends so. */
  end(verdict: Verdict): void {
    this.#call?.end(verdict);
  }

  take(frame: CheckedFrame): void {
    if ("ready" in frame) {
      this.#open();
      return;
    }
    const call = this.#call;
    if (!this.isReady) throw new Error('{"ready":1} was not its first line');
    if (!call?.isSent || frame.id !== call.id) throw new Error("not the call that was made");
    if ("rpc" in frame) this.#serve(call, frame);
    else if ("answer" in frame) call.end({ said: "answer", answer: frame.answer });
    else
      call.end({ said: "failed", why: frame.failed, ...(frame.detail === undefined ? {} : { detail: frame.detail }) });
  }

  #open(): void {
    if (this.isReady) throw new Error("ready twice");
    this.isReady = true;
    this.#onReady();
    if (this.#call !== undefined) this.#begin(this.#call);
  }

  #begin(call: Call): void {
    call.isSent = true;
    this.#send(new TextEncoder().encode(call.text));
    call.text = "";
  }

  #serve(call: Call, { rpc, n, args }: Extract<CheckedFrame, { rpc: unknown }>): void {
    if (n !== ++call.rpcs || n > MAX_RPCS) throw new Error("a request out of turn");
    if (rpc === "log") this.#reply(call, n, write(call, args));
    else void served(call.serve(rpc, args)).then((reply) => this.#reply(call, n, reply));
  }

  /** What comes after the call's end is nobody's any more. */
  #reply(call: Call, n: number, reply: Reply): void {
    if (this.#call !== call) return;
    this.#send(new TextEncoder().encode(`${JSON.stringify({ id: call.id, n, ...reply })}\n`));
  }
}

function write(call: Call, args: unknown): Reply {
  const line = typeof args === "string" ? args : JSON.stringify(args);
  call.log = `${call.log}${redact(`${line}`)}\n`.slice(0, MAX_LOG_CHARS); // before the cut, as everywhere
  return { ok: null };
}

type Reply = { ok: unknown } | { error: { code: string; message: string } };

async function served(work: Promise<unknown>): Promise<Reply> {
  try {
    return { ok: (await work) ?? null };
  } catch (error) {
    const { code, message } = isFault(error) ? error : refuse("E_RUN_BROKEN", {}, error);
    return { error: { code, message } };
  }
}
