import type { JournalLine } from "./journal-line.ts";

/** What the journal knows of one handler. Times are in milliseconds, to 2 in a hundred; null when it never ran. */
export type HandlerStatistics = {
  handler: string;
  considered: number;
  matched: number;
  /** Runs that were begun, questions asked again among them. */
  runs: number;
  answered: number;
  cancels: number;
  /** Runs that failed or were late, and calls at which it could not run. */
  failures: number;
  p50: number | null;
  p99: number | null;
  /** When the first of the failures was that nothing has interrupted since; null when its last call went well. */
  failingSince: string | null;
  /** What its last failure was. */
  lastCode?: string;
};

/** `data` of the commands that look at what happened, and of the one that clears it away. */
export type LookData = {
  log: { lines: readonly JournalLine[] };
  explain: { code: string; message: string; hint?: string };
  "explain decision": Pick<
    JournalLine,
    "at" | "host" | "session" | "turn" | "event" | "by" | "tool" | "told" | "patched" | "forced"
  > & {
    handlers: readonly (Pick<
      JournalLine,
      "handler" | "identity" | "state" | "matched" | "outcome" | "answer" | "why" | "code" | "stderr" | "denied" | "ms"
    > & { reacts?: string })[];
  };
  /** Handlers of the project that the journal does not name have zeros. `gone`: only the journal knows it, it is approved here no more. */
  stats: { handlers: readonly (HandlerStatistics & { neverMatched: boolean; alwaysFailing: boolean; gone?: true })[] };
  /** Every hook that hosts would run from their own files, ours among them, with what is wrong with it. */
  hooks: {
    files: readonly { host: string; scope: string; file: string; hooks: number; problem?: string }[];
    hooks: readonly {
      host: string;
      scope: string;
      file: string;
      event: string;
      matcher: string | null;
      type: string;
      command: string | null;
      /** An entry of hookpkg's. */
      own: boolean;
      problems: readonly { kind: string; text: string }[];
    }[];
    /** Code inside Claude Code; `gates`: it stands between hookpkg and the tool. */
    mods: readonly { name: string; file: string; gates: boolean }[];
  };
  doctor: { checks: readonly { name: string; ok: boolean; found: string; mend?: string }[] };
  /** `recordings`: those of the project are gone; `texts`: how many are; `packages`: whose data is. */
  /** What was there and is gone: whether recordings, how many texts, of which packages. */
  "data clear": { recordings: boolean; texts: number; packages: readonly string[] };
};
