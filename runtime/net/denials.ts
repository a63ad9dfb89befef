const MAX_DENIALS = 50;
const MAX_DENIAL_CHARS = 200;

/** What a handler was refused, for the journal: each thing once, in the order in which it was tried. */
export class Denials {
  #found = new Set<string>();

  add(what: string): void {
    if (this.#found.size < MAX_DENIALS)
      this.#found.add(what.replace(/[^\u0020-\u007e]/g, "?").slice(0, MAX_DENIAL_CHARS));
  }

  /** All since the last time. */
  take(): readonly string[] {
    const found = [...this.#found];
    this.#found = new Set();
    return found;
  }
}
