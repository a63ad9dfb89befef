import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** What a file turned out to be, as a system's error has it: `EFTYPE` is no regular file, `EFBIG` too large a one. */
class FileError extends Error {
  constructor(readonly code: "EFTYPE" | "EFBIG") {
    super(code);
  }
}

/**
 * Opens what must be a regular file, wherever others may put something else: a pipe or a terminal keeps nobody waiting, no link is
 * followed. The caller closes it. Throws a system's error.
 */
export function openRegular(
  path: string,
  flags: number = constants.O_RDONLY,
  mode = 0o600,
): { fd: number; stat: Stats } {
  const fd = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY, mode);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new FileError("EFTYPE");
    return { fd, stat };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A regular file's bytes, never more than `maxBytes`, also when it grows meanwhile. Throws a system's error. */
export function readRegular(path: string, maxBytes: number): Uint8Array {
  const { fd } = openRegular(path);
  try {
    return readAtMost(fd, maxBytes);
  } finally {
    closeSync(fd);
  }
}

/** What is left of an open file. */
export function readAtMost(fd: number, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const known = fstatSync(fd).size;
    const size = Math.min(maxBytes + 1 - total, Math.max(MIN_CHUNK_BYTES, known + 1 - total));
    const chunk = new Uint8Array(size);
    const read = readSync(fd, chunk);
    total += read;
    if (total > maxBytes) throw new FileError("EFBIG");
    if (read > 0) chunks.push(chunk.subarray(0, read));
    const isEnd = read === 0 || (read < size && total >= known); // an event reads many small files: no second look at each
    if (isEnd) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  }
}

const MIN_CHUNK_BYTES = 4096;
