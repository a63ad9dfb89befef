import type { Socket } from "node:net";
import { refuse } from "../faults.ts";

/** Reads what comes from a socket in the pieces that a protocol has, none larger than the reader allows. */
export class Inlet {
  readonly #chunks: AsyncIterator<unknown>;
  #rest: Uint8Array = new Uint8Array();
  #isOver = false;

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  /** What came beyond that which was read. */
  get rest(): Uint8Array {
    return this.#rest;
  }

  /** The next bytes, whatever they are; undefined at the end. */
  async some(): Promise<Uint8Array | undefined> {
    if (this.#rest.byteLength === 0) await this.more();
    const bytes = this.#rest;
    this.#rest = new Uint8Array();
    return bytes.byteLength === 0 ? undefined : bytes;
  }

  /** Up to `mark`, which is taken and not given. undefined: it ended before anything came. E_NET_MESSAGE. */
  async until(mark: string, maxBytes: number): Promise<string | undefined> {
    for (let from = 0; ; ) {
      const rest = Buffer.from(this.#rest.buffer, this.#rest.byteOffset, this.#rest.byteLength);
      const at = rest.indexOf(mark, from);
      if (at >= 0 && at <= maxBytes) return new TextDecoder("latin1").decode(this.#cut(at, mark.length));
      if (at >= 0 || rest.byteLength > maxBytes + mark.length) throw broken("too long a line or head");
      from = Math.max(0, rest.byteLength - mark.length);
      if (await this.more()) continue;
      if (this.#rest.byteLength === 0) return undefined;
      throw broken("it ends in the middle");
    }
  }

  /** Exactly so many. E_NET_MESSAGE when it ends before. */
  async take(bytes: number): Promise<Uint8Array> {
    const parts = [this.#cut(bytes, 0)];
    for (let missing = bytes - (parts[0]?.byteLength ?? 0); missing > 0; ) {
      if (!(await this.more())) throw broken("it ends in the middle");
      const part = this.#cut(missing, 0);
      missing -= part.byteLength;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Waits for more bytes, which are added to the rest; false at the end. */
  async more(): Promise<boolean> {
    if (this.#isOver) return false;
    const { value, done } = await this.#chunks.next();
    this.#isOver = done === true;
    if (value instanceof Uint8Array) this.#rest = Buffer.concat([this.#rest, value]);
    return !this.#isOver;
  }

  #cut(bytes: number, skipped: number): Uint8Array {
    const cut = this.#rest.slice(0, bytes);
    this.#rest = this.#rest.subarray(bytes + skipped);
    return cut;
  }
}

function broken(found: string) {
  return refuse("E_NET_MESSAGE", { found });
}

/** Settled when the bytes are on their way, so that who writes is never faster than who reads. */
export function send(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error("closed"));
    socket.once("close", closed);
    socket.write(bytes, (error) => {
      socket.off("close", closed);
      if (error) reject(error);
      else resolve();
    });
  });
}
