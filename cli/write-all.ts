import { writeSync } from "node:fs";
import { isSystem } from "@hookpkg/fault";

/** Every byte, also to a pipe that is full just now; a reader that has left is no error, and false. */
export function writeAll(fd: number, text: string): boolean {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (isSystem(error, "EAGAIN")) continue;
      if (isSystem(error, "EPIPE")) return false; // the reader has left, as `head` does
      throw error;
    }
  }
  return true;
}
