import { join } from "node:path";
import { type Outcome, secretValues } from "@hookpkg/spec";
import type { RunCall, RunHandler } from "./chain/chain.ts";
import type { Runnable } from "./gate/runnable.ts";
import type { Home } from "./home.ts";
import type { ModelClient } from "./model/client.ts";
import { personModel } from "./model/person-model.ts";
import { ownTurn } from "./notice/own-turn.ts";
import { type OnTrigger, triggerOf } from "./notice/trigger.ts";
import { type Outside, REAL_OUTSIDE } from "./outside.ts";
import type { Project } from "./person/projects.ts";
import type { Prewarm } from "./prewarm.ts";
import type { Engine, Request } from "./request.ts";
import type { HandlerCall, RunDeps, RunnableHandler } from "./run/runnable.ts";
import type { Workers } from "./run/workers.ts";
import type { Availability } from "./sandbox/self-test.ts";
import { temporaryFolder } from "./spill/session-texts.ts";

/** `env`: the environment as main read it; handlers get what they were granted of it. `worker`: the binary that workers run. */
export type EngineOptions = {
  home: Home;
  env: Readonly<Record<string, string | undefined>>;
  worker: string;
  outside?: Outside;
  /** Values of names that `env` lacks: the environment of another process, asked for when a handler was granted one. */
  more?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** Whether handlers can be run here, from who watches it for longer than one event; else it is tried. */
  sandbox?: () => Promise<Availability>;
  /** Workers that outlive an event: a process that serves one event only has none. */
  workers?: Workers;
  /** Makes ready what later events of a session will ask; needs workers. */
  prewarm?: Prewarm;
  /** Whom handlers ask that ask a model; absent: the model of the person's `config.json`. */
  model?: ModelClient;
  /** Begins turns for triggers; absent: a model's text is told at the project's next prompt. */
  onTrigger?: OnTrigger;
  /** Ends commands that are under way; workers end when who keeps them closes them. */
  signal?: AbortSignal;
  /** No handler reaches the network or a model, whatever its rights. */
  offline?: boolean;
  /** A folder that stands for every project and home: handlers see and change nothing of this machine's. */
  standIn?: string;
};

/** An engine with this machine's real sandbox. The sandbox is tried when the first handler is to run, and only then loaded. */
export function openEngine(options: EngineOptions): Engine {
  const { home, env, worker, outside = REAL_OUTSIDE, workers, more, offline = false, standIn } = options;
  const hidden = [home.config, home.state, home.data, home.cache, temporaryFolder(outside)];
  let sandbox: Promise<Availability> | undefined;
  const available = () => {
    sandbox ??= options.sandbox?.() ?? sandboxOf(home, worker);
    return sandbox;
  };
  const values = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const granted = async (names: readonly string[]) => {
    const missing = names.filter((name) => !Object.hasOwn(values, name));
    return missing.length === 0 || more === undefined ? values : { ...values, ...(await more(missing)) };
  };
  const prepare = async (names: readonly string[]) => {
    Object.assign(values, await granted(names));
  };
  const secrets = secretValues(env);
  const { prewarm, onTrigger, signal } = options;
  const model = offline ? undefined : (options.model ?? personModel(home));
  const place = { home, available, offline, standIn, hidden, workers };
  const run = (request: Request, project: Project | undefined) => {
    const own = (runnable: Runnable) => ownTurn({ home, outside, secrets, model }, runnable, project);
    const begins = onTrigger === undefined ? own : () => onTrigger;
    return sandboxed({
      ...place,
      granted,
      request,
      project,
      model,
      signal,
      ...(standIn === undefined ? { begins } : {}),
    });
  };
  const waking: Engine["prewarm"] = (request, projects, handlers) => {
    const nobody = { payload: request.payload, recheck: false, timeoutMs: 0 };
    const at = { ...place, granted: async () => ({}), request, project: projects.at(-1) };
    const warm = async (runnable: Runnable) => {
      const made = await prepared(at, runnable, nobody);
      if ("runner" in made) await made.runner.warmHandler(made.handler, made.call, made.deps);
    };
    const ids = projects.map((project) => project.id);
    prewarm?.begin(request, ids, { home, handlers, warm });
  };
  const base = { home, outside, run, prepare, secrets };
  return prewarm === undefined ? base : { ...base, prewarm: waking };
}

/** Whether handlers can be run here at all, and why not. */
export async function sandboxOf(home: Home, worker: string): Promise<Availability> {
  const { checkSandbox } = await import("./sandbox/self-test.ts"); // lazy: events that concern no handler never load it
  return checkSandbox({ worker, cache: join(home.cache, "sandbox.json"), uid: process.getuid?.() ?? -1 });
}

/** The same for a process that lives longer than an event: tried anew when anything of it changed, and when it did not hold a while ago. */
export function keepSandbox(home: Home, worker: string): () => Promise<Availability> {
  let known: { found: Promise<Availability>; at: number } | undefined;
  return async () => {
    const now = performance.now();
    if (known !== undefined && now - known.at < LOOK_MS) return known.found;
    const { stillHolds } = await import("./sandbox/self-test.ts");
    const found = await known?.found;
    const isFresh = found?.available ? stillHolds(found.host) : now - (known?.at ?? 0) < RETRY_MS;
    if (known === undefined || !isFresh) known = { found: sandboxOf(home, worker), at: now };
    else if (found?.available) known.at = now;
    return known.found;
  };
}

/** How long a look at what the sandbox depends on counts; and how long a sandbox that did not hold is left alone. */
const LOOK_MS = 1000;
const RETRY_MS = 5000;

let runner: typeof import("./run/run-handler.ts") | undefined;

type Sandboxed = {
  home: Home;
  granted: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  request: Request;
  project: Project | undefined;
  available: () => Promise<Availability>;
  offline: boolean;
  standIn: string | undefined;
  /** Ours: no handler sees it, whatever it may read. */
  hidden: readonly string[];
  workers: Workers | undefined;
  signal?: AbortSignal | undefined;
  model?: ModelClient | undefined;
  /** Who begins the turn of a trigger; absent where nothing is to come of it. */
  begins?: (runnable: Runnable) => OnTrigger;
};

function sandboxed(at: Sandboxed): RunHandler {
  return async (runnable, asked) => {
    const made = await prepared(at, runnable, asked);
    return "runner" in made ? made.runner.runHandler(made.handler, made.call, made.deps) : made;
  };
}

type Prepared = {
  runner: typeof import("./run/run-handler.ts");
  handler: RunnableHandler;
  call: HandlerCall;
  deps: RunDeps;
};

/** One call of one handler, ready to be made; what it means when there is no sandbox. */
async function prepared(
  { home, granted, request, project, available, offline, standIn, hidden, workers, model, begins, signal }: Sandboxed,
  runnable: Runnable,
  { payload, recheck, timeoutMs, emit }: RunCall,
): Promise<Prepared | Extract<Outcome, { outcome: "held" }>> {
  const root = projectOf(runnable, project);
  const env = await granted(runnable.normalForm.capabilities.env);
  const call = {
    ...{ payload, recheck, timeoutMs, env, host: request.host, home: home.base },
    ...{ options: runnable.options, dataFolder: runnable.dataFolder },
    ...(root === undefined ? {} : { project: root }),
    ...(standIn === undefined ? {} : { standIn }),
  };
  const { id, normalForm, files } = runnable;
  const sandbox = await available();
  if (!sandbox.available) return { outcome: "held", why: sandbox.fault.code, ms: 0 };
  runner ??= await import("./run/run-handler.ts"); // lazy, as above; asking again is no cheaper than a call
  const kept = { ...(workers === undefined ? {} : { workers }), ...(signal === undefined ? {} : { signal }) };
  const asked = model === undefined ? {} : { model };
  const about = {
    handler: runnable.name,
    payload,
    host: request.host,
    ...(root === undefined ? {} : { project: root }),
  };
  const heard = {
    ...(begins === undefined ? {} : { trigger: triggerOf(begins(runnable), about) }),
    ...(emit === undefined ? {} : { emit }),
  };
  const deps = { sandbox, offline, hidden, ...kept, ...asked, ...heard };
  const whose = { source: runnable.source, closure: normalForm.closure };
  const handler = { handler: { id, ...normalForm }, capabilities: normalForm.capabilities, files, kept: whose };
  return { runner, handler, call, deps };
}

/** A handler of one project sees that project; one of the person's or the machine's, the one where the event happened. */
function projectOf(runnable: Runnable, project: Project | undefined): string | undefined {
  if (project === undefined || runnable.project === project.id) return project?.root;
  return runnable.tier === "package" || runnable.tier === "project" || runnable.tier === "local"
    ? runnable.projectRoot
    : project.root;
}
