import type { Socket } from "bun";

/** One message is at most this long on the daemon's socket, in bytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 10;

/** One end of the daemon's socket: messages as lines of JSON, both ways. Nothing that the other side does makes it throw. */
export class Link {
  readonly #socket: Socket<{ link: Link }>;
  #inbox: unknown[] = [];
  #wanted: ((message: unknown) => void) | undefined;
  #isClosed = false;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #outbox: Uint8Array[] = [];
  #endsWhenSent = false;

  constructor(socket: Socket<{ link: Link }>) {
    this.#socket = socket;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The next message; undefined when the other side left, said what is no message, or said nothing for so long. */
  next(timeoutMs: number): Promise<unknown> {
    if (this.#inbox.length > 0) return Promise.resolve(this.#inbox.shift());
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wanted?.(undefined), timeoutMs);
      this.#wanted = (message) => {
        clearTimeout(timer);
        this.#wanted = undefined;
        resolve(message);
      };
    });
  }

  send(message: object): void {
    if (this.#isClosed) return;
    this.#outbox.push(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    if (this.#outbox.length === 1) this.flush();
  }

  /** Closes when everything was sent. */
  end(): void {
    this.#endsWhenSent = true;
    if (this.#outbox.length === 0) this.close();
  }

  close(): void {
    this.closed();
    this.#socket.end();
  }

  /** A socket takes what fits; the rest when it says that it has room. */
  flush(): void {
    for (let bytes = this.#outbox[0]; bytes !== undefined; bytes = this.#outbox[0]) {
      const written = this.#socket.write(bytes);
      if (written < 0) {
        this.close();
        return;
      }
      if (written < bytes.byteLength) {
        this.#outbox[0] = bytes.subarray(written);
        return;
      }
      this.#outbox.shift();
    }
    if (this.#endsWhenSent) this.close();
  }

  receive(chunk: Uint8Array): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0 && !this.#isClosed; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      this.#deliver(Buffer.concat(this.#chunks));
      this.#chunks = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  /** The socket is gone. */
  closed(): void {
    this.#isClosed = true;
    this.#outbox = [];
    this.#wanted?.(undefined);
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    if (this.#length > MAX_MESSAGE_BYTES) this.close();
    else if (bytes.byteLength > 0) this.#chunks.push(bytes.slice());
  }

  #deliver(line: Uint8Array): void {
    try {
      const message: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
      if (this.#wanted) this.#wanted(message);
      else if (this.#inbox.push(message) > MAX_UNREAD) this.close();
    } catch {
      this.close();
    }
  }
}

const MAX_UNREAD = 16;

/** Handlers for Bun's sockets whose data is a link. */
export const LINKED = {
  data: ({ data }: Socket<{ link: Link }>, chunk: Uint8Array) => data.link.receive(chunk),
  drain: ({ data }: Socket<{ link: Link }>) => data.link.flush(),
  close: ({ data }: Socket<{ link: Link }>) => data.link?.closed(),
  error: ({ data }: Socket<{ link: Link }>) => data.link?.closed(),
};
