import { identityOf } from "@hookpkg/identity";
import { handlerName, NO_CAPABILITIES, type NormalForm, type Outcome, type Payload, sha256 } from "@hookpkg/spec";
import type { ChainEntry, RunHandler } from "../chain/chain.ts";
import type { Gated, Runnable } from "../gate/runnable.ts";
import type { Home } from "../home.ts";

const SOURCE = "builtin:hookpkg";
const ID = "self";
export const SELF_NAME = handlerName(SOURCE, ID);

/** Tools that can only look, by their canonical names. */
const LOOKS = new Set(["Read", "Glob", "Grep", "WebFetch", "WebSearch", "Agent"]);

/**
 * hookpkg's own guard: first in every chain before a tool, for the events of hosts and in registered projects. It is part of the engine:
 * no package, nothing to approve, nothing that switches it off. It asks; where nobody can be asked, that is a refusal.
 */
export function withSelf(stations: readonly Gated[], payload: Payload, isServed: boolean): readonly Gated[] {
  const isCall = payload.hook_event_name === "PreToolUse" || payload.hook_event_name === "PreSkillShellCommand";
  if (!isServed || !isCall || LOOKS.has(payload.tool_name ?? "")) return stations;
  return [selfFor(payload.hook_event_name), ...stations];
}

/** Runs it in this process; all others as before. */
export function runningSelf(run: RunHandler, home: Home, roots: readonly string[]): RunHandler {
  return async (handler, call) => (handler.name === SELF_NAME ? judged(call.payload, home, roots) : run(handler, call));
}

/** It is considered at every call of a tool: only what it says is on record. */
export function withoutSilentSelf(entries: readonly ChainEntry[]): readonly ChainEntry[] {
  return entries.filter(({ gated, effect }) => gated.name !== SELF_NAME || effect.effect !== "none");
}

let parts: Promise<[typeof import("./judge.ts"), typeof import("./places.ts")]> | undefined;

async function judged(payload: Payload, home: Home, roots: readonly string[]): Promise<Outcome> {
  const from = performance.now();
  const reason = await reasonFor(payload, home, roots);
  const ms = performance.now() - from;
  return { outcome: "answered", answer: reason === undefined ? { answer: "continue" } : { answer: "ask", reason }, ms };
}

/** A fault of its own is a question, not a refusal of every call. */
async function reasonFor(payload: Payload, home: Home, roots: readonly string[]): Promise<string | undefined> {
  try {
    parts ??= Promise.all([import("./judge.ts"), import("./places.ts")]); // lazy: a reader of shell, which only calls of tools need
    const [{ judgeOwn }, { placesOf }] = await parts;
    return judgeOwn(payload, { places: placesOf(home, [payload.cwd, ...roots]), home: home.base });
  } catch {
    return "nobody could tell whether this changes hookpkg's own files: a person must agree to it";
  }
}

const FORM: Omit<NormalForm, "event"> = {
  ...{ v: 1, matcher: null, if: [], run: { type: "module", path: "self.ts", export: "default", isolate: "call" } },
  ...{ may: ["ask", "cancel"], timeoutMs: 10_000, failMode: "closed", once: false, async: false, answers: "strict" },
  ...{ outputLimit: 1000, before: [], after: [], capabilities: NO_CAPABILITIES, requires: [], closure: sha256(SOURCE) },
};

const kept = new Map<NormalForm["event"], Runnable>();

function selfFor(event: NormalForm["event"]): Runnable {
  const known = kept.get(event);
  if (known !== undefined) return known;
  const normalForm: NormalForm = { ...FORM, event };
  const made: Omit<Runnable, keyof { [K in keyof Runnable as K extends symbol ? K : never]: 0 }> = {
    ...{ kind: "runnable", name: SELF_NAME, source: SOURCE, id: ID, tier: "managed", state: "managed" },
    ...{ identity: identityOf(normalForm), normalForm, tree: FORM.closure, options: {}, files: [] },
    ...{ project: "managed", projectRoot: "/", dataFolder: "" },
  };
  const self = made as Runnable; // of no package: there are no bytes that the gate could have hashed
  kept.set(event, self);
  return self;
}
