import { type Fault, isFault } from "@hookpkg/fault";
import { refuse } from "../faults.ts";
import { errorAnswer, type Incoming, type RpcId, readMessage } from "./json-rpc.ts";
import { Lines } from "./lines.ts";

/** At once, and waiting for their turn, of one connection. */
export const MAX_CALLS = 16;
export const MAX_WAITING = 256;

/** What a call may use besides its words. */
export type Asking = { id: RpcId | undefined; notify: (method: string, params: object) => void };

/** What one side of a connection can be asked. `errorData` stands beside the code of every error, which `fault` is. */
export type Service = {
  call(method: string, params: unknown, asking: Asking): Promise<object>;
  errorData(fault: Fault): object;
};

/** One connection: lines in, lines out, calls side by side up to a bound. Nothing that the other side says ends it or makes it throw. */
export class Conversation {
  readonly #service: Service;
  readonly #say: (line: string) => void;
  readonly #lines = new Lines((line) => this.#take(readMessage(line)));
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];

  constructor(service: Service, say: (line: string) => void) {
    this.#service = service;
    this.#say = say;
  }

  receive(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** The other side has said its last word. */
  finish(): void {
    this.#lines.finish();
  }

  notify(method: string, params: object): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Everything that was asked so far is answered. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #take(message: Incoming): void {
    if (message.kind === "answer") return; // we ask nothing
    if (message.kind === "bad") this.#refuse(message.id, message.fault);
    else if (this.#running.size < MAX_CALLS) this.#start(message);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(() => this.#start(message));
    else if (message.id !== undefined) this.#refuse(message.id, refuse("E_BRIDGE_BUSY", { maxWaiting: MAX_WAITING }));
  }

  #start(message: Extract<Incoming, { kind: "call" }>): void {
    const work = this.#answer(message).finally(() => {
      this.#running.delete(work);
      this.#waiting.shift()?.();
    });
    this.#running.add(work);
  }

  async #answer({ id, method, params }: Extract<Incoming, { kind: "call" }>): Promise<void> {
    const notify = (name: string, told: object) => this.notify(name, told);
    try {
      const result = await this.#service.call(method, params, { id, notify });
      if (id !== undefined) this.#send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (id !== undefined) this.#refuse(id, isFault(error) ? error : refuse("E_INTERNAL", {}, error));
    }
  }

  #refuse(id: RpcId | null, fault: Fault): void {
    this.#send(errorAnswer(id, fault, this.#service.errorData(fault)));
  }

  #send(message: object): void {
    this.#say(`${JSON.stringify(message)}\n`);
  }
}
