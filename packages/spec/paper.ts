const PAPER = /^(?:(?:README|LICENSE|CHANGELOG)[^/]*|(?:docs|test)\/.*)$/s;

/**
 * Written for people: README, LICENSE and CHANGELOG at the root, docs/, test/. Never mounted for a handler, and so no part of
 * what an identity stands for.
 */
export function isPaper(path: string): boolean {
  return PAPER.test(path);
}
