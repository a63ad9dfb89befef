import { closeSync, fchownSync } from "node:fs";
import { pipe, raised, sealed } from "./descriptor.ts";
import { type Ending, Lifeline } from "./ending.ts";
import type { Plan } from "./plan.ts";
import { seccompFilter } from "./seccomp.ts";

/** A started sandbox. The reader of `out` and `err` closes them; `input` is there when stdin was asked for as a pipe. */
export type Sandbox = {
  out: number;
  err: number;
  input?: number;
  /** The process inside, as the host numbers it; unknown until bubblewrap has said so. */
  childPid(): number | undefined;
  kill(): void;
  ended: Promise<Ending>;
};

/**
 * Starts it, and throws only what starting a program can throw (absent program, no descriptors left). Only from the main thread:
 * the sandbox dies with the *thread* that started it. Bytes for stdin are a file inside, so that nobody has to read them.
 */
export function start(plan: Plan, stdin: Uint8Array | "pipe"): Sandbox {
  const mine: number[] = [];
  const childs: number[] = [];
  try {
    const input = stdin === "pipe" ? inputPipe(mine, childs) : childs.push(sealed(stdin)) && undefined;
    const [out, err] = [outputPipe(mine, childs), outputPipe(mine, childs)];
    if (plan.owner !== undefined) for (const fd of childs) fchownSync(fd, plan.owner, plan.owner);
    childs.push(sealed(seccompFilter(plan.filter)));
    const status = outputPipe(mine, childs);
    childs.push(sealed(new TextEncoder().encode(plan.words.map((word) => `${word}\0`).join(""))));
    for (const bytes of plan.files) childs.push(sealed(bytes));
    childs.forEach((fd, index) => {
      childs[index] = raised(fd, childs.length);
    });
    const [first = -1, second = -1, third = -1, ...more] = childs;
    const outer = Bun.spawn([plan.program, ...plan.argv], {
      stdio: [first, second, third, ...more],
      env: {},
      cwd: "/",
      detached: true,
    });
    const lifeline = new Lifeline(outer.pid, status);
    const ended = outer.exited.then(() => {
      const ending = lifeline.reaped(outer.exitCode);
      closeSync(status);
      return ending;
    });
    return {
      ...{ out, err, ended },
      ...(input === undefined ? {} : { input }),
      childPid: () => lifeline.status().childPid,
      kill: () => lifeline.kill(),
    };
  } catch (error) {
    mine.forEach(closeSync);
    throw error;
  } finally {
    childs.forEach(closeSync);
  }
}

function outputPipe(mine: number[], childs: number[]): number {
  const { read, write } = pipe("us");
  mine.push(read);
  childs.push(write);
  return read;
}

function inputPipe(mine: number[], childs: number[]): number {
  const { read, write } = pipe("child");
  mine.push(write);
  childs.push(read);
  return write;
}
