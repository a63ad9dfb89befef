import { type Files, pack, placeTree, readTree } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import {
  type Approved,
  type Gated,
  gate,
  type HandlerView,
  type Home,
  openEngine,
  type Recording,
  runChain,
  selectFor,
  Workers,
} from "@hookpkg/runtime";
import type { CommandData, HandlerName, Identity, NormalForm, OptionValue, Payload, Sha256 } from "@hookpkg/spec";
import { onStandIn } from "../stand-in.ts";
import { differenceOf, type Now, nowOf } from "./replay-difference.ts";

/** What one handler would have said to the recorded calls. */
export type Replayed = CommandData["replay"]["handlers"][number];
type Difference = Replayed["differs"][number];
type Kept = Recording & { payload: Payload };

/** `untilMs`: of `performance.now()`; calls after it are left out and counted. */
export type Replay = { recordings: readonly Recording[]; untilMs?: number };

/**
 * Runs handlers on recorded calls of their project, each for itself: what waits for approval as it is proposed, else what was approved. It
 * happens in the sandbox, in an empty folder that stands for project and home, without network, variables and model; nothing is journaled, recorded or
 * told. E_SANDBOX_… where there is none.
 */
export async function replayed(home: Home, views: readonly HandlerView[], replay: Replay): Promise<Replayed[]> {
  return await onStandIn(home, async ({ temporary, standIn, sandbox }) => {
    const workers = new Workers();
    try {
      const engine = openEngine({
        ...{ home: temporary, worker: process.execPath, env: {}, offline: true, standIn, workers },
        sandbox: async () => sandbox,
      });
      const found: Replayed[] = [];
      for (const candidate of views.flatMap(candidateOf))
        found.push(await replayOne(candidate, { engine, temporary, home }, replay));
      return found;
    } finally {
      await workers.close();
    }
  });
}

type Candidate = {
  name: HandlerName;
  source: string;
  version: "proposed" | "approved";
  identity: Identity;
  normalForm: NormalForm;
  options: Readonly<Record<string, OptionValue>>;
  code: { files: Files } | { tree: Sha256 };
};

function candidateOf({ name, source, proposed, approved }: HandlerView): Candidate[] {
  if (proposed?.readable) {
    const { identity, normalForm, options, package: found } = proposed;
    const version = identity === approved?.identity ? "approved" : "proposed";
    return [
      {
        name: proposed.name,
        source: proposed.source,
        version,
        identity,
        normalForm,
        options: options.values,
        code: found,
      },
    ];
  }
  if (approved === undefined) return [];
  const { identity, normalForm, options, tree } = approved;
  return [{ name, source, version: "approved", identity, normalForm, options: options.values, code: { tree } }];
}

type Stage = { engine: ReturnType<typeof openEngine>; temporary: Home; home: Home };

async function replayOne(candidate: Candidate, stage: Stage, { recordings, untilMs }: Replay): Promise<Replayed> {
  const { name, identity, version, normalForm } = candidate;
  const counts = { calls: 0, cancels: 0, asks: 0, allows: 0, changes: 0, passes: 0, failures: 0 };
  const differs: Difference[] = [];
  const codes = new Set<string>();
  const about = { handler: name, identity, version };
  const unable = unableWords(normalForm);
  if (unable !== undefined) return { ...about, ...counts, codes: [], differs: [], unable, left: 0 };
  let left = 0;
  for (const recording of recordings) {
    const { payload } = recording;
    if (payload === null) continue;
    if (untilMs !== undefined && performance.now() > untilMs) {
      left++;
      continue;
    }
    const now = await answerTo(candidate, { ...recording, payload }, stage);
    if (now === undefined) continue;
    counts.calls++;
    counts[now.kind]++;
    if (now.code !== undefined) codes.add(now.code);
    const difference = differenceOf(recording, payload, name, now);
    if (difference !== undefined) differs.push(difference);
  }
  return { ...about, ...counts, codes: [...codes].sort(), differs, left };
}

function unableWords({ event, run }: NormalForm): string | undefined {
  if (event !== "PreToolUse") return `it reacts to ${event}, and calls of tools are what is kept`;
  if (run.type === "http") return "it asks a server, and nothing goes out for a replay";
  return run.type === "prompt" || run.type === "agent" ? "it asks a model, and none is asked for a replay" : undefined;
}

/** Undefined where the call does not concern it. */
async function answerTo(
  candidate: Candidate,
  { payload, subjects, host }: Kept,
  stage: Stage,
): Promise<Now | undefined> {
  try {
    const gated = await gatedFor(candidate, payload, stage);
    if (!selectFor(payload, subjects).handler(gated.approved)) return undefined;
    const request = { payload, host, subjects, canAsk: true };
    const run = stage.engine.run(request, { id: PROJECT, root: payload.cwd });
    const { entries } = await runChain(gated.gated, payload, { run });
    return entries[0]?.matched ? nowOf(entries[0]) : undefined;
  } catch (error) {
    if (isFault(error)) return { kind: "failures", code: error.code };
    throw error;
  }
}

const PROJECT = "replay";
const placed = new WeakMap<Candidate, Promise<Sha256>>();

async function gatedFor(
  candidate: Candidate,
  { cwd }: Payload,
  { temporary, home }: Stage,
): Promise<{ approved: Approved; gated: Gated[] }> {
  const { name, source, identity, normalForm, options, code } = candidate;
  const tree = placed.get(candidate) ?? place(code, home, temporary);
  placed.set(candidate, tree);
  const id = name.slice(name.indexOf("#") + 1);
  const approved: Approved = {
    ...{ name, source, id, identity, normalForm, options, tree: await tree },
    ...{ tier: "package", state: "trusted", project: PROJECT, projectRoot: cwd },
  };
  return { approved, gated: await gate(temporary, [approved]) };
}

async function place(code: Candidate["code"], home: Home, temporary: Home): Promise<Sha256> {
  const archive = pack("files" in code ? code.files : await readTree(home.store, code.tree));
  await placeTree(temporary.store, archive);
  return archive.tree;
}
