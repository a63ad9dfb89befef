import { type Fault, isFault } from "@hookpkg/fault";
import type { Outcome } from "@hookpkg/spec";
import { grantedEnv } from "./child-env.ts";
import { runCommand } from "./command.ts";
import { hintsFor } from "./hint.ts";
import { runModule, warmModule } from "./module.ts";
import { redacted } from "./redacted.ts";
import type { HandlerCall, RunDeps, RunnableHandler } from "./runnable.ts";
import { runService } from "./service.ts";

/** Station 13: one handler, one event, one outcome. Every end has a name; nothing is thrown. */
export async function runHandler(runnable: RunnableHandler, call: HandlerCall, deps: RunDeps): Promise<Outcome> {
  const outcome = await run(runnable, call, deps);
  return redacted(withHints(outcome, runnable, call), Object.values(grantedEnv(runnable, call)));
}

/** What can be made ready before a handler's first event: a module's worker. Throws E_SANDBOX_START. */
export async function warmHandler(runnable: RunnableHandler, call: HandlerCall, deps: RunDeps): Promise<void> {
  const { run: how } = runnable.handler;
  if (!deps.sandbox.available || how.type !== "module") return;
  await warmModule({ runnable, call, deps, host: deps.sandbox.host }, how);
}

/** Refusals that nobody outside sees are guessed from what the handler says of them. */
function withHints(outcome: Outcome, { capabilities }: RunnableHandler, { project, home }: HandlerCall): Outcome {
  const hints = hintsFor(outcome, { projects: project === undefined ? [] : [project], home, capabilities });
  return hints.length === 0 ? outcome : { ...outcome, denied: [...(outcome.denied ?? []), ...hints] };
}

async function run(runnable: RunnableHandler, call: HandlerCall, deps: RunDeps): Promise<Outcome> {
  const from = performance.now();
  const failed = (why: string, detail: string): Outcome => ({
    outcome: "failed",
    why,
    detail,
    ms: performance.now() - from,
  });
  try {
    const { handler } = runnable;
    if (!deps.sandbox.available) return failed(deps.sandbox.fault.code, deps.sandbox.fault.message);
    const { host } = deps.sandbox;
    if (handler.run.type === "module") return await runModule({ runnable, call, deps, host }, handler.run);
    if (handler.run.type === "service") return await runService({ runnable, call, deps, host }, handler.run);
    if (handler.run.type === "command") return await runCommand({ runnable, call, deps, host }, handler.run);
    // Lazy from here on: few handlers are one of these. They need no sandbox, and are held with the others where there is none.
    if (handler.run.type === "http") {
      const { runHttp } = await import("./http.ts");
      return await runHttp({ runnable, call, deps, host }, handler.run);
    }
    if (handler.run.type === "prompt") {
      const { runPrompt } = await import("./prompt.ts");
      return await runPrompt({ runnable, call, deps, host }, handler.run);
    }
    const { runAgent } = await import("./agent.ts");
    return await runAgent({ runnable, call, deps, host }, handler.run);
  } catch (error) {
    return isFault(error) ? failed(error.code, told(error)) : failed("E_RUN_BROKEN", String(error).slice(0, 500));
  }
}

const MAX_DETAIL_CHARS = 2000;

/** With what it is about: names, sizes, places. */
function told({ message, facts }: Fault): string {
  return Object.keys(facts).length === 0 ? message : `${message}: ${JSON.stringify(facts)}`.slice(0, MAX_DETAIL_CHARS);
}
