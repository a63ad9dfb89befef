// What hostile modules of the corpus use: system calls by number, and the outcome of an attempt as a word.
import { dlopen, ptr, read } from "bun:ffi";

const I = "i64";
const libc = dlopen("libc.so.6", {
  syscall: { args: [I, I, I, I, I, I, I], returns: I },
  __errno_location: { args: [], returns: "ptr" },
}).symbols;
const errno = libc.__errno_location();

export const text = (word) => ptr(Buffer.from(`${word}\0`));

/** "ok N" or "errno N". */
export function sys(number, ...args) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
  const result = Number(libc.syscall(number, a, b, c, d, e, f));
  return result === -1 ? `errno ${read.i32(errno)}` : `ok ${result}`;
}

/** "did VALUE", or the code or message of what was thrown. */
export async function tries(action) {
  try {
    return `did ${await action()}`;
  } catch (error) {
    return String(error?.code ?? error?.message ?? error);
  }
}
