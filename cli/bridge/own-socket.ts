import { chmodSync, lstatSync, realpathSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Peer, peerOf } from "@hookpkg/runtime";
import type { Socket } from "bun";
import { refuse } from "../faults.ts";

/** What the kernel holds of a socket's path, without the end sign. */
const MAX_PATH_BYTES = 107;
const MAX_LINKS = 64;
/** What a client that does not read may leave with us. */
const MAX_OUTBOX_BYTES = 64 * 1024 * 1024;

/** The other end of one connection. `say` keeps what does not fit now; `end` closes when everything was sent. */
export type Wire = { peer: Peer; say: (text: string) => void; end: () => void };
/** What is done with it: `receive` gets its bytes, `closed` is told once. */
export type Listener = { receive: (chunk: Uint8Array) => void; closed: () => void };

/**
 * Listens at a path for this user only: the folder is theirs and nobody else can write in it, the socket is 0600, and the kernel is
 * asked who is at the other end. A dead socket is replaced. E_BRIDGE_FOLDER, _PATH or _TAKEN.
 */
export async function listenAt(wanted: string, accept: (wire: Wire) => Listener): Promise<{ stop: () => void }> {
  const uid = process.getuid?.() ?? -1;
  const path = join(ownFolder(dirname(wanted), uid), basename(wanted));
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw refuse("E_BRIDGE_PATH", { path, maxBytes: MAX_PATH_BYTES });
  await clear(path, uid);
  let links = 0;
  const listen = () =>
    Bun.listen<{ end?: End }>({
      unix: path,
      socket: {
        open(socket) {
          links++;
          const peer = peerOf(socket);
          socket.data = {};
          if (peer?.uid !== uid || links > MAX_LINKS) socket.end();
          else socket.data.end = new End(socket, peer, accept);
        },
        data: ({ data }, chunk) => data.end?.listener.receive(chunk),
        drain: ({ data }) => data.end?.flush(),
        close({ data }) {
          links--;
          data.end?.closed();
        },
        error: ({ data }) => data.end?.closed(),
      },
    });
  const server = privately(() => {
    const listening = listen();
    chmodSync(path, 0o600);
    return listening;
  });
  const own = inode(path);
  const stop = () => {
    if (inode(path) === own) unlinkSync(path);
    server.stop(true);
  };
  return { stop };
}

/** The socket is ours alone from its first moment; what else this process makes is not our matter. */
function privately<T>(work: () => T): T {
  const before = process.umask(0o077);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

class End {
  readonly listener: Listener;
  readonly #socket: Socket<{ end?: End }>;
  #outbox: Uint8Array[] = [];
  #bytes = 0;
  #endsWhenSent = false;
  #isClosed = false;

  constructor(socket: Socket<{ end?: End }>, peer: Peer, accept: (wire: Wire) => Listener) {
    this.#socket = socket;
    this.listener = accept({ peer, say: (text) => this.#say(text), end: () => this.#end() });
  }

  flush(): void {
    for (let bytes = this.#outbox[0]; bytes !== undefined && !this.#isClosed; bytes = this.#outbox[0]) {
      const written = this.#socket.write(bytes);
      if (written < 0) {
        this.#close();
        return;
      }
      this.#bytes -= written;
      if (written < bytes.byteLength) {
        this.#outbox[0] = bytes.subarray(written);
        return;
      }
      this.#outbox.shift();
    }
    if (this.#endsWhenSent) this.#close();
  }

  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#outbox = [];
    this.listener.closed();
  }

  #say(text: string): void {
    if (this.#isClosed) return;
    const bytes = new TextEncoder().encode(text);
    this.#bytes += bytes.byteLength;
    if (this.#bytes > MAX_OUTBOX_BYTES) this.#close();
    else if (this.#outbox.push(bytes) === 1) this.flush();
  }

  #end(): void {
    this.#endsWhenSent = true;
    if (this.#outbox.length === 0) this.#close();
  }

  #close(): void {
    this.#socket.end();
    this.closed();
  }
}

function ownFolder(folder: string, uid: number): string {
  let real: string;
  try {
    real = realpathSync(folder);
  } catch (cause) {
    throw refuse("E_BRIDGE_PATH", { path: folder }, cause);
  }
  const found = lstatSync(real);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0)
    throw refuse("E_BRIDGE_FOLDER", { folder: real });
  return real;
}

/** A dead socket of our own is taken away; anything else stays what it is. */
async function clear(path: string, uid: number): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket() || found.uid !== uid || (await answers(path))) throw refuse("E_BRIDGE_TAKEN", { path });
  unlinkSync(path);
}

async function answers(path: string): Promise<boolean> {
  try {
    const socket = await Bun.connect({ unix: path, socket: { data: () => {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

function inode(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
