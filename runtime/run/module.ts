import { type Outcome, readModuleAnswer } from "@hookpkg/spec";
import { OWN_ROOT, PLUGIN_ROOT, type Profile, plan, WORKER_BINARY } from "../sandbox/profile.ts";
import bootstrap from "./bootstrap.generated.js" with { type: "text" };
import { callBody } from "./call-body.ts";
import type { Run } from "./command.ts";
import { type Sight, sightOf } from "./grants.ts";
import { roleKeys } from "./role.ts";
import { spokenOutcome, type Talk, talk } from "./talk.ts";

type Module = { path: string; isolate: "worker" | "call" };

/** A module: in a warm worker of its package when there are any, else in a fresh one that is killed when it has answered. */
export async function runModule(run: Run, module: Module): Promise<Outcome> {
  const from = performance.now();
  const body = callBody(run, module.path);
  const reply = await talk(run, { from, body, ...partOf(run, module) });
  return spokenOutcome(run, reply, from, readModuleAnswer);
}

/** Starts a worker for the module's next call, where workers are kept and it has none. Settled when the worker is ready. */
export async function warmModule(run: Run, module: Module): Promise<void> {
  const { keys, planFor, once, limits } = partOf(run, module);
  if (keys !== undefined) await run.deps.workers?.warm({ ...keys, once, limits, plan: () => planFor([]) });
}

/** All of a call that is the same for any event. */
function partOf(run: Run, module: Module): Omit<Talk, "from" | "body"> {
  const { runnable, call, deps, host } = run;
  const sight = sightOf(runnable, call, deps.hidden);
  // A module that belongs to one call may be loaded before it; in a shared worker one that never ends loading would hold the others.
  const loaded = module.isolate === "call" ? [module.path] : [];
  const planFor = (write: Profile["write"]) => ({
    plan: plan(profileOf(run, sight, write), [...COMMAND, ...loaded], host.mode, host.programs),
  });
  const keys = roleKeys(runnable, call, sight, { program: ["module", ...loaded] });
  const { memoryMiB } = runnable.capabilities.limits;
  return { keys, planFor, once: module.isolate === "call", limits: { memoryMiB } };
}

/** hookpkg is a compiled Bun program, which is Bun itself when BUN_BE_BUN is set; inside only we can set it. */
const BUN_OPTIONS = ["--smol", "--no-env-file", "--config=/dev/null", "--no-install"];
const COMMAND = [WORKER_BINARY, ...BUN_OPTIONS, `${OWN_ROOT}/bootstrap.js`];
const WORKER_ENV = {
  ...{ BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0", DO_NOT_TRACK: "1" },
  ...{ PATH: "/nonexistent", HOME: "/tmp", TMPDIR: "/tmp", LANG: "C.UTF-8" },
};

function profileOf({ runnable }: Run, sight: Sight, write: Profile["write"]): Profile {
  const own = [{ path: "bootstrap.js", executable: false, bytes: new TextEncoder().encode(bootstrap) }];
  return {
    ...sight,
    ...{ kind: "worker", files: runnable.files, own, write, env: WORKER_ENV, cwd: sight.cwd ?? PLUGIN_ROOT },
    limits: { memoryMiB: runnable.capabilities.limits.memoryMiB, cpuSeconds: 0 },
  };
}
