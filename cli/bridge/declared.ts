import { evaStage } from "@hookpkg/hosts";
import type { Gated } from "@hookpkg/runtime";

/** What Eva's core is told at the handshake: it calls us at these stages only, and takes our silence at a closed one for a no. */
export type DeclaredStage = { stage: string; fail_closed: boolean };

/**
 * The stages of handlers that are runnable or held; closed where one of them is. A held one is closed always. Tool calls are asked about
 * wherever anything is approved: hookpkg's own guard keeps a model from changing what was.
 */
export function declaredStages(handlers: readonly Gated[]): DeclaredStage[] {
  const stages = new Map<string, boolean>();
  for (const handler of handlers) {
    stages.set(TOOL_CALL, stages.get(TOOL_CALL) ?? false);
    if (handler.kind === "bypassed") continue;
    const stage = evaStage(handler.kind === "held" ? handler.event : handler.normalForm.event);
    if (stage !== undefined) stages.set(stage, stages.get(stage) === true || isClosed(handler));
  }
  return [...stages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([stage, isShut]) => ({ stage, fail_closed: isShut }));
}

const TOOL_CALL = "tool.call";

function isClosed(handler: Exclude<Gated, { kind: "bypassed" }>): boolean {
  return handler.kind === "held" || handler.normalForm.failMode === "closed";
}
