/** One message is at most this long on the wire, in bytes, without its line end. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const NEWLINE = 10;

/** Chunks in, whole lines out. A line that is too long is dropped up to its end and told of once; the next one is read as ever. */
export class Lines {
  readonly #take: (line: Uint8Array | "too long") => void;
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #isTooLong = false;

  constructor(take: (line: Uint8Array | "too long") => void, maxBytes = MAX_LINE_BYTES) {
    this.#take = take;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      this.#end();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  /** The other side has no more to say: what it did not end is a line, too. */
  finish(): void {
    this.#end();
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    if (this.#length > this.#maxBytes) {
      this.#isTooLong = true;
      this.#chunks = [];
    } else if (bytes.byteLength > 0) this.#chunks.push(bytes.slice());
  }

  #end(): void {
    const line = Buffer.concat(this.#chunks);
    const isTooLong = this.#isTooLong;
    this.#chunks = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#take("too long");
    else if (line.some((byte) => byte > 32)) this.#take(line);
  }
}
