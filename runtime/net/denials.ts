const MAX_DENIALS = 50;
const MAX_DENIAL_CHARS = 200;

const NONE: readonly string[] = [];

/** What a handler was refused, for the journal: each thing once, in the order in which it was tried. */
export class Denials {
  #found: Set<string> | undefined;

  add(what: string): void {
    this.#found ??= new Set();
    if (this.#found.size < MAX_DENIALS)
      this.#found.add(what.replace(/[^\u0020-\u007e]/g, "?").slice(0, MAX_DENIAL_CHARS));
  }

  /** All since the last time. */
  take(): readonly string[] {
    if (this.#found === undefined) return NONE;
    const found = [...this.#found];
    this.#found = undefined;
    return found;
  }
}
