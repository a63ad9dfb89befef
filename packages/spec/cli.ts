import type { Fact, Facts } from "@hookpkg/fault";
import type { HandlerReport } from "./decision.ts";
import type { Identity, Sha256 } from "./digest.ts";
import type { JournalLine, TrustState } from "./journal-line.ts";
import type { Problem } from "./problem.ts";

/** Exit codes of the command. */
export const EXIT = {
  ok: 0,
  failed: 1,
  waits: 3,
  refused: 4,
  splitView: 5,
  noSandbox: 6,
  usage: 64,
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** The one document that `--json` prints. */
export type JsonResult<T> =
  | { ok: true; data: T }
  | { ok: false; error: { code: string; message: string; hint?: string; facts: Facts } };

/** What an attached host makes of a handler: asks it and obeys all that it may say, obeys a part, or never asks it. */
export type HandlerReach = { host: string; reach: "runs" | "in part" | "never"; lost: readonly string[] };

export type HandlerState = {
  handler: string;
  identity: Identity;
  state: TrustState | "rejected" | "disabled";
  why?: string;
  /** By attached host; absent where it was not asked for, empty when none is attached. */
  reach?: readonly HandlerReach[];
};
export type InstalledPackage = { name: string; version: string; source: string; handlers: readonly HandlerState[] };

/** What `attach` did in one host's settings. `notes`: what the host cannot do, and what its own trust still wants. */
export type Attachment = {
  host: string;
  scope: "personal" | "shared";
  file: string;
  state: "attached" | "changed" | "already" | "failed";
  events: readonly string[];
  notes: readonly string[];
  error?: { code: string; message: string; facts: Facts };
};
/** `restored`: the bytes from before are back; `removed`: only our entries were taken out; `gone`: there was nothing left of them. */
export type Detachment = "restored" | "removed" | "gone";

/** Another order than the approved one, event by event; `digest` names it to `approve --order`. */
export type ProposedOrder = {
  digest: string;
  events: readonly { event: string; before: readonly string[]; after: readonly string[] }[];
};

/** What `new --from` made of somebody's hooks. `carried`: as each stood there, and as it stands here. */
export type Imported = {
  host: string;
  from: string;
  carried: readonly { id: string; from: string; to: string; notes: readonly string[] }[];
  lost: readonly { from: string; why: string }[];
  /** A proposal: each with what in the scripts asks for it. */
  rights: readonly { right: string; why: string }[];
  notes: readonly string[];
  /** What `validate` says of the result. */
  warnings: readonly Problem[];
};

/** `data` of every command. */
export type CommandData = {
  init: { project: string; created: readonly string[] };
  new: { folder: string; files: readonly string[]; imported?: Imported };
  /** `tsconfig`: whether one was written, too; an author's own stays. */
  sdk: { file: string; tsconfig: boolean };
  validate: { name: string; version: string; problems: readonly Problem[] };
  test: {
    passed: number;
    failed: number;
    /** With --trace: what the sandbox kept from the handlers, and the right that would give it. */
    refused?: readonly { call: string; target: string; error: string; right: string | null }[];
    cases: readonly {
      name: string;
      passed: boolean;
      want: string;
      got: string;
      reason?: string;
      stderr?: string;
    }[];
  };
  pack: {
    name: string;
    version: string;
    file: string | null;
    bytes: number;
    integrity: string;
    tree: string;
    files: readonly string[];
    handlers: readonly { id: string; identity: Identity }[];
  };
  publish: { name: string; version: string; registry: string; integrity: string; index: number; already: boolean };
  /** `attached`: hosts that ask hookpkg for this project; when there are none, nothing asks any handler. */
  install: { packages: readonly InstalledPackage[]; attached: readonly string[] };
  uninstall: { removed: readonly string[]; waiting: readonly string[] };
  list: { packages: readonly InstalledPackage[]; attached: readonly string[] };
  approve: {
    approved: readonly string[];
    rejected: readonly string[];
    waiting: readonly string[];
    /** As for `install`; absent when nothing was approved now. */
    attached?: readonly string[];
    /** Of what was approved now. */
    reach?: Readonly<Record<string, readonly HandlerReach[]>>;
  };
  /** `order`: another order is proposed than the approved one; absent when none waits. */
  "approve --list": {
    /** `options`: digest of the values that the project sets; absent where it sets none. */
    waiting: readonly (HandlerState & { project: string; options?: Sha256 })[];
    order?: ProposedOrder;
  };
  status: {
    project: string | null;
    sandbox: { available: boolean; why?: string };
    handlers: readonly HandlerState[];
    /** Of each attached host: when it last sent an event, and when a made-up call was last cancelled through its entries; null: never. */
    hosts: readonly { host: string; version?: string; lastEvent: string | null; canary: string | null }[];
    notes: readonly string[];
  };
  /** `recorded`: the calls that were replayed, `tooLarge` of them left out because they were not kept whole. */
  replay: {
    recorded: number;
    tooLarge: number;
    handlers: readonly {
      handler: string;
      identity: Identity;
      version: "proposed" | "approved";
      /** Those that concern it, and what it says to them. */
      calls: number;
      cancels: number;
      asks: number;
      allows: number;
      changes: number;
      passes: number;
      failures: number;
      codes: readonly string[];
      /** Calls to which it says something else than it said then, or than was decided then, when it was not asked. */
      differs: readonly { at: string; tool: string; call: string; before: string; now: string; reason?: string }[];
      /** Calls for which there was no time. */
      left: number;
      /** Why it cannot be replayed at all. */
      unable?: string;
    }[];
  };
  /** `recordings`: those of the project are gone; `texts`: how many are; `packages`: whose data is. */
  "data clear": { recordings: boolean; texts: number; packages: readonly string[] };
  diff: {
    handlers: readonly {
      handler: string;
      from: Identity | null;
      to: Identity;
      changes: readonly { field: string; before: Fact; after: Fact; widens: boolean }[];
      files: readonly { path: string; diff: string }[];
    }[];
  };
  /** `waiting`: handlers that react to it too and that nobody approved yet. */
  try: { decision: string; reason?: string; handlers: readonly Fact[]; waiting: readonly string[] };
  run: { exit: number; stdout: string; stderr: string };
  "daemon status":
    | { running: true; pid: number; sinceMs: number; events: number; busy: number; workers: number }
    | { running: false; why: string };
  "daemon stop": { stopped: boolean };
  /** What became of each handler that heard it. */
  emit: { event: string; handlers: readonly HandlerReport[] };
  /** It runs long, and its own lines are JSON-RPC. */
  bridge: Record<string, never>;
  attach: { hosts: readonly Attachment[] };
  "attach --list": {
    hosts: readonly {
      host: string;
      found: boolean;
      file: string;
      attached: boolean;
      projects: readonly string[];
      /** Of the handlers of this project, where there is one. */
      handlers?: readonly (Omit<HandlerReach, "host"> & { handler: string })[];
    }[];
  };
  "attach --print": { hosts: readonly { host: string; file: string; settings: Fact }[] };
  detach: { hosts: readonly { host: string; scope: "personal" | "shared"; file: string; found: Detachment }[] };
  log: { lines: readonly JournalLine[] };
  explain: { code: string; message: string; hint?: string };
  "explain decision": Pick<
    JournalLine,
    "at" | "host" | "session" | "turn" | "event" | "by" | "tool" | "told" | "forced"
  > & {
    handlers: readonly (Pick<
      JournalLine,
      "handler" | "identity" | "state" | "matched" | "outcome" | "answer" | "why" | "code" | "stderr" | "denied" | "ms"
    > & { reacts?: string })[];
  };
  /** Times in milliseconds. `handlers` of the project that the journal does not name have zeros. */
  stats: {
    handlers: readonly {
      handler: string;
      considered: number;
      matched: number;
      runs: number;
      answered: number;
      cancels: number;
      failures: number;
      p50: number | null;
      p99: number | null;
      failingSince: string | null;
      lastCode?: string;
      neverMatched: boolean;
      alwaysFailing: boolean;
    }[];
  };
  disable: { disabled: readonly string[]; enabled: readonly string[] };
  "safe-mode": { project: string; on: boolean; handlers: readonly string[] };
  order: {
    events: readonly {
      event: string;
      chain: readonly { handler: string; tier: string; state: string; why: readonly string[]; off?: string }[];
    }[];
    waiting: ProposedOrder | null;
    problems: readonly { code: string; facts: Readonly<Record<string, string>> }[];
  };
  keygen: { file: string; id: string; public: string; encrypted: boolean };
  "scope claim": { scope: string; registry: string; seq: number; keys: readonly string[] };
  "registry serve": { url: string; root: string };
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
};
