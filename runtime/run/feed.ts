import { closeSync, write } from "node:fs";

/**
 * Writes to a worker's stdin one after the other, on a thread of the pool: a worker that does not read must not hold us.
 * Once it is killed the write that waits for it fails, and what follows is dropped.
 */
export class Feed {
  readonly #fd: number;
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(fd: number) {
    this.#fd = fd;
  }

  send(bytes: Uint8Array): void {
    this.#last = this.#last.then((open) => open && this.#write(bytes));
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
