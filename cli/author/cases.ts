import { type Files, pack, placeTree, sourcesOf } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { hostNamed } from "@hookpkg/hosts";
import type { HandlerIdentity } from "@hookpkg/identity";
import {
  type Approved,
  type Chained,
  decide,
  type Engine,
  effectiveOptions,
  gate,
  type Home,
  homeFolders,
  openEngine,
  orderHandlers,
  personModel,
  runChain,
  selectFor,
  subjectsOf,
  worded,
} from "@hookpkg/runtime";
import {
  type CaseVerdict,
  handlerName,
  type Manifest,
  type OptionValue,
  optionValue,
  type PackageCase,
  type PackageSpec,
  type Payload,
  packageCases,
  parsePayload,
  type Sha256,
} from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { onStandIn } from "../stand-in.ts";
import { caseVerdict, gotWords } from "./case-verdict.ts";

/** A package whose cases can be run: a folder that was loaded, or the files of the store. */
export type Tested = { files: Files; spec: PackageSpec; identities: readonly HandlerIdentity[] };

/** Where the package's cases happen. */
export function caseFolders(files: Files): string[] {
  const { cases } = packageCases(sourcesOf(files));
  return [...new Set(cases.map(({ input }) => (typeof input.cwd === "string" ? input.cwd : CASE_FOLDER)))];
}

/** Where cases happen that don't say; the same as in the SDK's own runner. Nothing needs to be there. */
const CASE_FOLDER = "/home/dev/work/app";
const CASE_PROJECT = "case";
/** All cases together: whoever looks at a package before they approve it is not kept waiting by it. */
const MAX_CASES_MS = 5 * 60 * 1000;

/** Every case of a package's own must pass; E_CASES_NONE when there is none, E_CASES_FAILED names those that don't. */
export async function passOwnCases(tested: Tested, call: Call): Promise<void> {
  const verdicts = await runOwnCases(tested, call, { offline: false });
  const failed = verdicts.filter(({ passed }) => !passed);
  if (failed.length > 0)
    throw refuse("E_CASES_FAILED", {
      failed: failed.length,
      cases: failed.slice(0, 10).map((one) => `${one.name}: wanted ${one.want}, got ${gotWords(one)}`),
    });
}

/**
 * Runs a package's own cases through gate, chain and this machine's sandbox, as if its handlers were approved. Nobody has to
 * approve for that: an empty folder stands for project and home wherever a case says that it happens, so that no right reaches anything of
 * the person's; what they keep and write goes with it, and nothing but the verdict comes out.
 * Only the model that answers is theirs. `offline`: nor does anything go out, for who only looks at a package of somebody else.
 * E_SANDBOX_… where there is no sandbox, E_CASES_NONE without a case.
 */
export async function runOwnCases(
  tested: Tested,
  call: Call,
  { offline, tracer }: { offline: boolean; tracer?: readonly string[] },
): Promise<CaseVerdict[]> {
  const { cases } = packageCases(sourcesOf(tested.files));
  if (cases.length === 0) throw refuse("E_CASES_NONE", { name: tested.spec.manifest.name });
  const home = homeFolders(call.home);
  return await onStandIn(home, async ({ base, temporary, standIn, sandbox }) => {
    const { host } = sandbox;
    const seen = tracer === undefined ? host : { ...host, programs: { ...host.programs, tracer } };
    const stage: Stage = { tested, temporary, tree: await placed(tested, base) };
    const engine = openEngine({
      ...{ home: temporary, worker: process.execPath, offline, standIn },
      env: offline ? {} : headerEnv(tested, call),
      ...(offline ? {} : { model: personModel(home) }),
      sandbox: async () => ({ ...sandbox, host: seen }),
    });
    const verdicts: CaseVerdict[] = [];
    const until = performance.now() + MAX_CASES_MS;
    for (const one of cases) verdicts.push(performance.now() < until ? await runCase(one, stage, engine) : notRun(one));
    return verdicts;
  });
}

/** What an http handler's headers take. Without one nothing of a case depends on who runs it. */
function headerEnv({ spec }: Tested, { env }: Call): Record<string, string | undefined> {
  if (!spec.handlers.some(({ run }) => run.type === "http")) return {};
  return Object.fromEntries(spec.manifest.capabilities.env.map((name) => [name, env[name]]));
}

/** The package in a store of its own, which the gate reads as it reads the person's. */
type Stage = { tested: Tested; temporary: Home; tree: Sha256 };

async function placed({ files }: Tested, folder: string): Promise<Sha256> {
  const archive = pack(files);
  await placeTree(homeFolders(folder).store, archive);
  return archive.tree;
}

async function runCase(one: PackageCase, stage: Stage, engine: Engine): Promise<CaseVerdict> {
  try {
    return caseVerdict(one, await chained(one, stage, engine));
  } catch (error) {
    if (!isFault(error)) throw error;
    return { name: one.name, passed: false, want: one.want.answer, got: error.code };
  }
}

function notRun({ name, want }: PackageCase): CaseVerdict {
  return { name, passed: false, want: want.answer, got: "not run: the cases before it took too long" };
}

async function chained(one: PackageCase, { tested, temporary, tree }: Stage, engine: Engine) {
  const plain = { session_id: "case", transcript_path: null, cwd: CASE_FOLDER };
  const { payload, subjects } = asHostsGive(parsePayload({ ...plain, ...one.input, hook_event_name: one.event }));
  const handlers = tested.identities.map((identity) => asApproved(identity, one, { tested, tree, root: payload.cwd }));
  const concerned = handlers.filter(selectFor(payload, subjects).handler);
  const { order, off, problems } = orderHandlers(concerned, new Set(handlers.map(({ name }) => name)));
  // A reference to another package's handler is dead here and alive where both are installed.
  const cycle = problems.find(({ code }) => code === "E_CHAIN_CYCLE");
  if (cycle) throw refuse("E_CASES_ORDER", cycle.facts);
  const request = { payload, host: "native", canAsk: true };
  const run = engine.run(request, { id: CASE_PROJECT, root: payload.cwd });
  const result: Chained = await runChain(await gate(temporary, [...order, ...off]), payload, { run });
  return { result, decision: worded(decide(result, { payload, canAsk: true, secrets: [] })).decision };
}

/** The payload in its hook shape, by the reader that hosts' events go through. `changes` of a patch that a case gives itself stay. */
function asHostsGive(payload: Payload): { payload: Payload; subjects: readonly string[] } {
  const given = payload.tool_input;
  if (given === undefined) return { payload, subjects: subjectsOf(payload) };
  const read = hostNamed("native")?.read(payload);
  if (!read?.payload) return { payload, subjects: subjectsOf(payload) };
  const own = "changes" in given ? { changes: given.changes } : {};
  return { payload: { ...read.payload, tool_input: { ...read.payload.tool_input, ...own } }, subjects: read.subjects };
}

/** A handler as the approved set would have it. */
function asApproved(
  { id, identity, normalForm }: HandlerIdentity,
  one: PackageCase,
  { tested, tree, root }: { tested: Tested; tree: Sha256; root: string },
): Approved {
  const { name, options } = tested.spec.manifest;
  return {
    name: handlerName(name, id),
    source: name,
    ...{ id, identity, normalForm, tree, tier: "package", state: "trusted" },
    options: { ...effectiveOptions(options).values, ...optionsOf(one, options) },
    project: CASE_PROJECT,
    projectRoot: root,
  };
}

/** What a case sets must be an option of the package, in its type: a case about nothing proves nothing. */
function optionsOf({ name, options = {} }: PackageCase, specs: Manifest["options"]): Record<string, OptionValue> {
  const set = Object.entries(options).map(([option, given]): [string, OptionValue] => {
    const spec = Object.hasOwn(specs, option) ? specs[option] : undefined;
    const value = spec && optionValue(spec, given);
    if (value === undefined) throw refuse("E_CASES_OPTION", { case: name, option });
    return [option, value];
  });
  return Object.fromEntries(set);
}
