import { closeSync, write, writeSync } from "node:fs";
import { isSystem } from "@hookpkg/fault";
import { setBlocking } from "../sandbox/descriptor.ts";

/**
 * Writes to a worker's stdin one after the other: what the pipe has room for at once, the rest on a thread of the pool, because a
 * worker that does not read must not hold us. Once it is killed the write that waits for it fails, and what follows is dropped.
 */
export class Feed {
  readonly #fd: number;
  #last: Promise<boolean> = Promise.resolve(true);
  #waiting = 0;

  constructor(fd: number) {
    this.#fd = fd;
    setBlocking(fd, false);
  }

  send(bytes: Uint8Array): void {
    const rest = this.#waiting > 0 ? bytes : this.#writeNow(bytes);
    if (rest.byteLength > 0) this.#later(rest);
  }

  #writeNow(bytes: Uint8Array): Uint8Array {
    try {
      return bytes.subarray(writeSync(this.#fd, bytes));
    } catch (error) {
      if (isSystem(error, "EAGAIN")) return bytes;
      this.#last = Promise.resolve(false);
      return bytes;
    }
  }

  #later(bytes: Uint8Array): void {
    if (this.#waiting++ === 0) setBlocking(this.#fd, true);
    this.#last = this.#last
      .then((open) => open && this.#write(bytes))
      .finally(() => {
        if (--this.#waiting === 0) setBlocking(this.#fd, false);
      });
  }

  /** After the worker's end: it waits for the write that is under way. */
  async close(): Promise<void> {
    const last = this.#last;
    this.#last = Promise.resolve(false);
    await last;
    closeSync(this.#fd);
  }

  async #write(bytes: Uint8Array): Promise<boolean> {
    for (let at = 0; at < bytes.byteLength; ) {
      const written = await this.#writeSome(bytes.subarray(at));
      if (written === undefined) return false;
      at += written;
    }
    return true;
  }

  #writeSome(bytes: Uint8Array): Promise<number | undefined> {
    return new Promise((resolve) => {
      write(this.#fd, bytes, 0, bytes.byteLength, null, (error, written) =>
        resolve(error === null ? written : undefined),
      );
    });
  }
}
