import { type Outcome, readModuleAnswer } from "@hookpkg/spec";
import { excessOf } from "../sandbox/excess.ts";
import { PLUGIN_ROOT, type Profile, plan } from "../sandbox/profile.ts";
import { callBody } from "./call-body.ts";
import { commandWords, serviceEnv } from "./child-env.ts";
import { allowanceOf, type Run } from "./command.ts";
import { prepareData } from "./data-folder.ts";
import { gatewayOf } from "./gateway-of.ts";
import { sightOf } from "./grants.ts";
import { roleKeys } from "./role.ts";
import { spokenOutcome, talk } from "./talk.ts";

/**
 * A service: any program that speaks the worker's frames on stdin and stdout, in a command's sandbox. Where workers are kept it
 * is started once for its package and project and answers one call after the other; late or broken, it is ended and started anew.
 */
export async function runService(run: Run, service: { argv: readonly string[] }): Promise<Outcome> {
  const from = performance.now();
  const { runnable, call, deps, host } = run;
  const { limits } = runnable.capabilities;
  const words = commandWords(service, runnable, call);
  const sight = sightOf(runnable, call, deps.hidden);
  const data = prepareData(call.dataFolder, limits.dataMiB, host.mode);
  const gateway = await gatewayOf(run);
  const planFor = (write: Profile["write"]) => {
    const beside = gateway?.();
    const profile: Profile = {
      ...sight,
      ...{ kind: "command", files: runnable.files, own: [], write, data },
      env: serviceEnv(call),
      cwd: sight.cwd ?? PLUGIN_ROOT,
      ...(beside === undefined ? {} : { gateway: beside.socket }),
      limits: { memoryMiB: limits.memoryMiB, cpuSeconds: 0 },
    };
    try {
      return { plan: plan(profile, words, host.mode, host.programs), beside };
    } catch (error) {
      beside?.close();
      throw error;
    }
  };
  const keys = roleKeys(runnable, call, sight, { program: words, data });
  const allowance = allowanceOf(run, data);
  const reply = await talk(run, {
    from,
    body: callBody(run),
    keys,
    planFor,
    once: false,
    limits: { excess: (pid) => excessOf(pid, allowance) },
  });
  return spokenOutcome(run, reply, from, readModuleAnswer);
}
