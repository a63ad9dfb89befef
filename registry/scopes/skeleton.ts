import type { Scope } from "@hookpkg/spec";

/**
 * What a scope looks like to a hasty reader: two scopes with one skeleton can't both exist. Names are lower-case ASCII
 * already, so only letters, digits and dashes can be mistaken for one another. Frozen: stored skeletons depend on it.
 */
export function skeletonOf(scope: Scope): string {
  return [...PAIRS, ...SIGNS].reduce((text, [from, to]) => text.replaceAll(from, to), scope.slice(1));
}

const SIGNS = [
  ["-", ""],
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["5", "s"],
  ["2", "z"],
] as const;
const PAIRS = [
  ["rn", "m"],
  ["vv", "w"],
  ["cl", "d"],
] as const;
