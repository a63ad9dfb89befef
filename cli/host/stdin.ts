/** spec's MAX_JSON_BYTES, which is not worth loading its room for on every event; a test holds that they are the same. */
export const MAX_STDIN_BYTES = 16 * 1024 * 1024;

/** All of stdin, one byte more at most than an event may have: the adapter's door says then that it is too large. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Bun.stdin.stream()) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_STDIN_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_STDIN_BYTES + 1);
}
