/** The named points of a publish between two effects: where a crash must lose nothing. */
export const STEPS = [
  "blob:written",
  "blob:renamed",
  "publish:checked",
  "publish:stored",
  "scope:stored",
  "log:grown",
  "log:committed",
  "log:checkpoint-written",
  "publish:logged",
] as const;
export type Step = (typeof STEPS)[number];

/** One structured line for the operator. */
export type Report = { readonly level: "info" | "error"; readonly event: string } & Readonly<Record<string, unknown>>;

/** The world outside the server. `reached` is called between effects; tests crash there. */
export type Outside = {
  now(): Date;
  report(line: Report): void;
  reached(step: Step): void;
};

/** The real clock, silent. */
export const QUIET: Outside = { now: () => new Date(), report: () => {}, reached: () => {} };
