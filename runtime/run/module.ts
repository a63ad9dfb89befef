import { type Outcome, readModuleAnswer } from "@hookpkg/spec";
import { OWN_ROOT, PLUGIN_ROOT, type Profile, plan, WORKER_BINARY } from "../sandbox/profile.ts";
import bootstrap from "./bootstrap.generated.js" with { type: "text" };
import { callBody } from "./call-body.ts";
import type { Run } from "./command.ts";
import { type Sight, sightOf } from "./grants.ts";
import { roleKeys } from "./role.ts";
import { spokenOutcome, talk } from "./talk.ts";

/** A module: in a warm worker of its package when there are any, else in a fresh one that is killed when it has answered. */
export async function runModule(run: Run, module: { path: string; isolate: "worker" | "call" }): Promise<Outcome> {
  const from = performance.now();
  const { runnable, call, deps, host } = run;
  const sight = sightOf(runnable, call, deps.hidden);
  const body = callBody(run, module.path);
  // A module that belongs to one call may be loaded before it; in a shared worker one that never ends loading would hold the others.
  const loaded = module.isolate === "call" ? [module.path] : [];
  const planFor = (write: Profile["write"]) => ({
    plan: plan(profileOf(run, sight, write), [...COMMAND, ...loaded], host.mode, host.programs),
  });
  const keys = roleKeys(runnable, call, sight, { program: ["module", ...loaded] });
  const { memoryMiB } = runnable.capabilities.limits;
  const reply = await talk(run, { from, body, keys, planFor, once: module.isolate === "call", limits: { memoryMiB } });
  return spokenOutcome(run, reply, from, readModuleAnswer);
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
