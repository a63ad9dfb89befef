import { readSync } from "node:fs";
import { isSystem } from "@hookpkg/fault";

/** spec's MAX_JSON_BYTES, which is not worth loading its room for on every event; a test holds that they are the same. */
export const MAX_STDIN_BYTES = 16 * 1024 * 1024;

/** All of stdin, one byte more at most than an event may have: the adapter's door says then that it is too large. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const keep = (chunk: Uint8Array) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    return size > MAX_STDIN_BYTES;
  };
  if (!readBlocking(keep)) for await (const chunk of Bun.stdin.stream()) if (keep(chunk)) break;
  return Buffer.concat(chunks).subarray(0, MAX_STDIN_BYTES + 1);
}

/** Nothing else is to be done before the event is there, and a stream costs a millisecond. False when stdin does not let us wait. */
function readBlocking(keep: (chunk: Uint8Array) => boolean): boolean {
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const bytes = readSync(0, chunk);
      if (bytes === 0 || keep(chunk.subarray(0, bytes))) return true;
    }
  } catch (error) {
    if (isSystem(error, "EAGAIN")) return false;
    throw error;
  }
}

const CHUNK_BYTES = 65_536;
