import type { Fact } from "@hookpkg/fault";
import type { Identity, Sha256 } from "./digest.ts";
import type { TrustState } from "./journal-line.ts";

/**
 * What an attached host makes of a handler: asks it and obeys all that it may say, obeys a part, or never asks it. `once`: not now, it runs
 * nowhere before that; absent where nothing stands in the way.
 */
export type HandlerReach = {
  host: string;
  reach: "runs" | "in part" | "never";
  lost: readonly string[];
  once?: "approved" | "on again";
};

export type HandlerState = {
  handler: string;
  identity: Identity;
  state: TrustState | "rejected" | "disabled";
  why?: string;
  /** By attached host; absent where it was not asked for, empty when none is attached. */
  reach?: readonly HandlerReach[];
};
export type InstalledPackage = { name: string; version: string; source: string; handlers: readonly HandlerState[] };

/** Another order than the approved one, event by event; `digest` names it to `approve --order`. */
export type ProposedOrder = {
  digest: string;
  events: readonly { event: string; before: readonly string[]; after: readonly string[] }[];
};

/** `data` of the commands of who has packages in a project and decides about them. */
export type TrustData = {
  init: { project: string; created: readonly string[] };
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
    /**
     * `options`: digest of the values that the project sets; absent where it sets none. `change`: absent where nothing was approved yet;
     * "dropped": `identity` is the approved one, and only `approve --drop HANDLER` decides.
     */
    waiting: readonly (HandlerState & {
      project: string;
      options?: Sha256;
      change?: "changed" | "older" | "renamed" | "dropped" | "options";
    })[];
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
  diff: {
    handlers: readonly {
      handler: string;
      from: Identity | null;
      to: Identity;
      changes: readonly { field: string; before: Fact; after: Fact; widens: boolean }[];
      files: readonly { path: string; diff: string }[];
    }[];
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
};
