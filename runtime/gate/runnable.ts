import type { Files } from "@hookpkg/archive";
import type { EventName, HandlerName, Identity, Matcher, NormalForm, OptionValue, Sha256 } from "@hookpkg/spec";

declare const runnable: unique symbol;

export type Options = Readonly<Record<string, OptionValue>>;

/** Where a handler was declared. */
export type Tier = "managed" | "user" | "project" | "local" | "package" | "user-package";

/** An approved or managed handler as the records have it. Its bytes were not looked at yet. */
export type Approved = {
  readonly name: HandlerName;
  /** `@s/n`, `file:./dir` or `layer:user`. */
  readonly source: string;
  readonly id: string;
  readonly tier: Tier;
  readonly identity: Identity;
  readonly normalForm: NormalForm;
  /** `modified`: something else is proposed; this goes on running. */
  readonly state: "managed" | "trusted" | "modified";
  readonly tree: Sha256;
  readonly options: Options;
  /** Id of the project, or "user". */
  readonly project: string;
  readonly projectRoot: string;
};

/** Station 11: a handler whose hashed bytes are in memory and have the approved identity. Made by the gate, and by the engine for its own guard. */
export type Runnable = Approved & {
  readonly [runnable]: true;
  readonly kind: "runnable";
  /** Exactly what the handler may load: the files of the closure. */
  readonly files: Files;
  /** Kept for this package in this project; made before the first run. */
  readonly dataFolder: string;
};

/** A closed handler that cannot run: its stage is refused. The identity is unknown when the approvals can't be read. */
export type Held = {
  readonly kind: "held";
  readonly name: HandlerName;
  readonly identity: Identity | null;
  readonly event: EventName;
  readonly matcher: Matcher;
  readonly why: string;
  readonly project: string;
};

/** An open handler that cannot run: the action passes it, visibly. */
export type Bypassed = {
  readonly kind: "bypassed";
  readonly name: HandlerName;
  readonly identity: Identity;
  readonly event: EventName;
  readonly matcher: Matcher;
  readonly why: string;
  readonly project: string;
  readonly state: Approved["state"];
};

export type Gated = Runnable | Held | Bypassed;

/** Stands where nothing tells the identity: the hash of nothing that could ever be declared. */
export const UNKNOWN_IDENTITY: Identity = `hk1:${"A".repeat(43)}`;

/** Something that every surface shows: what can't be read, what waits to be mended. */
export type GateProblem = { code: string; facts: Readonly<Record<string, string>> };
