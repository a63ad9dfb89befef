import type { Decision, JournalLine, Payload } from "@hookpkg/spec";
import type { RunHandler } from "./chain/chain.ts";
import type { Approved } from "./gate/runnable.ts";
import type { Home } from "./home.ts";
import type { Outside, ProcessMark } from "./outside.ts";
import type { Project } from "./person/projects.ts";
import type { HostTakes } from "./spill/worded.ts";

/** One event of a host, read by its adapter: canonical names, hook shapes. */
export type Request = {
  payload: Payload;
  /** The host's name; `native` is no host. */
  host: string;
  /** `--project` of the entry, and the host's own variable. */
  flag?: string;
  hostFolder?: string;
  /** What matchers are tried against, as the adapter read it; else computed from the payload. */
  subjects?: readonly string[];
  /** Whether a person can be asked now. */
  canAsk: boolean;
  /** Puts a question to whoever can answer it here, so that what is written of the event is what came of it. Never throws. */
  settle?: (decision: Omit<Decision, "person">, payload: Payload) => Promise<Omit<Decision, "person">>;
  /** What the host shows its model of one text before it cuts by itself; less than what an event may bring. */
  takes?: HostTakes;
  /** The host gives up after this time, in milliseconds. */
  ceilingMs?: number;
  /**
   * Takes work that is to be done when the decision is out: observers, and what nobody can answer. Without it notices are waited for, as
   * an embedder may wish, and observers are started when the decision is given.
   */
  after?: (work: () => Promise<void>) => void;
  /** A notice's handlers are waited for although other work can be left for later: whoever tells it wants to hear what became of it. */
  waits?: true;
  /** Who told a notice that no host did. */
  by?: string;
  /** Whether the host's model hears the context of this event; absent: it does. */
  takesContext?: boolean;
  /** The process outlives the event by far: what is done after the decision has more time. */
  stays?: boolean;
  hostProcess?: ProcessMark;
};

/** What dispatch works with. `secrets` are values that appear nowhere; `run` is station 13. */
export type Engine = {
  home: Home;
  outside: Outside;
  run: (request: Request, project: Project | undefined) => RunHandler;
  secrets: readonly string[];
  /** Hears each line of the journal, redacted, when it has been written. */
  onJournal?: (line: JournalLine) => void;
  /** Looks up variables while who has them is still there: handlers that run after the decision were granted them. */
  prepare?: (names: readonly string[]) => Promise<void>;
  /** Makes what is approved here ready for later events, after this one's answer. Returns at once. */
  prewarm?: (request: Request, projects: readonly Project[], handlers: readonly Approved[]) => void;
};
