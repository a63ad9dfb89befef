import type { Call } from "../machine.ts";

/** What a call does to a path: `write` may be any change of its text. */
export type Change = { op: "write" | "delete" | "move"; path: string };

/** Gives the paths that one call of a program changes, as its words name them. */
export type Rule = (call: Call) => Change[];
export type Rules = Readonly<Record<string, Rule>>;

export function changes(op: Change["op"], paths: readonly string[]): Change[] {
  return paths.map((path) => ({ op, path }));
}
