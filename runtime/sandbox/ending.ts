import { readSync } from "node:fs";

/** What bubblewrap itself reported. Without an exit code there is no verdict: its own failures exit 1, as a program does. */
export type Status = { childPid?: number; exitCode?: number };

export type Ending =
  | { how: "exited"; code: number }
  | { how: "signalled"; signal: number }
  | { how: "no-status"; code: number | null };

/**
 * The two rules of a sandbox's end. Kill: the process group first, then the child that was reported, then the outer process;
 * each alone leaves survivors during start-up. Exit: only a reported exit code counts.
 */
export class Lifeline {
  readonly #outer: number;
  readonly #statusFd: number;
  #text = "";
  #reaped = false;

  constructor(outer: number, statusFd: number) {
    this.#outer = outer;
    this.#statusFd = statusFd;
  }

  kill(): void {
    if (this.#reaped) return;
    const before = this.status();
    send(-this.#outer);
    // The outer process names its child before it lets it run, so after its death the name is in the pipe or there is no child.
    const { childPid, exitCode } = before.childPid === undefined ? this.status() : before;
    if (childPid !== undefined && exitCode === undefined) send(childPid);
    send(this.#outer);
  }

  /** The outer process was waited for; its number may belong to another one from here on. */
  reaped(code: number | null): Ending {
    const { exitCode, childPid } = this.status();
    if (exitCode === undefined && childPid !== undefined) send(childPid);
    this.#reaped = true;
    if (exitCode === undefined) return { how: "no-status", code };
    return exitCode > 128 && exitCode <= 128 + MAX_SIGNAL
      ? { how: "signalled", signal: exitCode - 128 }
      : { how: "exited", code: exitCode };
  }

  status(): Status {
    this.#text += readAvailable(this.#statusFd);
    return { ...numberOf(this.#text, "child-pid", "childPid"), ...numberOf(this.#text, "exit-code", "exitCode") };
  }
}

const MAX_SIGNAL = 64;

function send(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ESRCH: it is gone, which is what was wanted.
  }
}

function readAvailable(fd: number): string {
  const buffer = new Uint8Array(4096);
  try {
    return new TextDecoder().decode(buffer.subarray(0, readSync(fd, buffer)));
  } catch {
    return ""; // EAGAIN: nothing yet
  }
}

/** bubblewrap writes several small JSON documents one after the other; only it holds the other end. */
function numberOf<K extends string>(text: string, name: string, key: K): { [key in K]?: number } {
  const found = new RegExp(`"${name}": (\\d+)`).exec(text)?.[1];
  return found === undefined ? {} : ({ [key]: Number(found) } as { [key in K]?: number }); // the key is K by construction
}
