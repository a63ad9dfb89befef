import { MAX_JSON_BYTES } from "@hookpkg/spec";

/** All of stdin, one byte more at most than an event may have: the adapter's door says then that it is too large. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Bun.stdin.stream()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_JSON_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_JSON_BYTES + 1);
}
