import { writeSync } from "node:fs";

/** Every byte, also to a pipe that is full just now; a reader that has left is no error, and false. */
export function writeAll(fd: number, text: string): boolean {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code === "EAGAIN") continue;
      if (code === "EPIPE") return false; // the reader has left, as `head` does
      throw error;
    }
  }
  return true;
}
