import type { Approved } from "../gate/runnable.ts";

const ELSEWHERE: readonly string[] = ["http", "prompt", "agent"];

/** Its answer comes from elsewhere and is asked for once: it should be about the call as it will happen. */
export function isLate({ normalForm }: Approved): boolean {
  return ELSEWHERE.includes(normalForm.run.type);
}

export function isPatcher(handler: Approved): boolean {
  return !isLate(handler) && handler.normalForm.may.includes("patch");
}

/**
 * An order in which such handlers stand behind the last handler of their event that may patch, as they stood among each other. One that
 * another handler on the way wants to have before it stays: what somebody wrote down counts more. `earlier`: who must be before whom.
 */
export function afterPatchers(
  order: readonly Approved[],
  earlier: ReadonlyMap<Approved, ReadonlySet<Approved>>,
): Approved[] {
  const moved = [...order];
  for (const handler of [...order].reverse()) {
    if (!isLate(handler)) continue;
    const from = moved.indexOf(handler);
    const to = moved.findLastIndex((other) => isPatcher(other) && other.normalForm.event === handler.normalForm.event);
    const passed = moved.slice(from + 1, to + 1);
    if (passed.length === 0 || passed.some((other) => earlier.get(other)?.has(handler))) continue;
    moved.splice(to + 1, 0, handler);
    moved.splice(from, 1);
  }
  return moved;
}
