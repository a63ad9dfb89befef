import { readSync } from "node:fs";
import { available } from "../sandbox/descriptor.ts";
import { type Bounds, drain } from "../sandbox/launch.ts";

/** What a worker writes to stderr, kept for the call that is under way, drained always. */
export class Remarks {
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #isDone = false;
  readonly #fd: number;
  readonly #bounds: Omit<Bounds, "deadlineMs">;
  readonly #onFlood: () => void;
  readonly #reader: { finish(): Promise<unknown> };

  constructor(fd: number, bounds: Omit<Bounds, "deadlineMs">, onFlood: () => void) {
    this.#fd = fd;
    this.#bounds = bounds;
    this.#onFlood = onFlood;
    const endless = { keepBytes: 0, floodBytes: Number.POSITIVE_INFINITY };
    this.#reader = drain(
      fd,
      endless,
      () => {},
      (chunk) => this.#keep(chunk),
    );
  }

  /** Everything since the last take: what was written before an answer is in the pipe when the answer is. */
  take(): Uint8Array {
    if (!this.#isDone) this.#catchUp();
    if (this.#kept.length === 0) return NOTHING;
    const all = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#bytes = 0;
    return all;
  }

  async finish(): Promise<void> {
    await this.#reader.finish();
    this.#isDone = true;
  }

  #catchUp(): void {
    for (let n = 0; n < MAX_CHUNKS && available(this.#fd) > 0; n++)
      this.#keep(BUFFER.subarray(0, readSync(this.#fd, BUFFER)));
  }

  #keep(chunk: Uint8Array): void {
    const room = this.#bounds.keepBytes - this.#bytes;
    if (room > 0) this.#kept.push(chunk.slice(0, room));
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#bounds.floodBytes) this.#onFlood();
  }
}

const NOTHING = new Uint8Array();
/** Read and copied from at once, by one caller at a time: a new one for each call would cost as much as the call. */
const BUFFER = new Uint8Array(65_536);
/** A pipe's worth; one that writes on is read by the reader. */
const MAX_CHUNKS = 2;
