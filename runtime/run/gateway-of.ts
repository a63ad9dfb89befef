import { Denials } from "../net/denials.ts";
import type { Run } from "./command.ts";
import { netFor } from "./desk.ts";

/** A way out that lives as long as the process that has it. */
export type Beside = { socket: string; denied: Denials; close(): void };

/** Opens gateways for a command or service with a network right; undefined without one: then no socket exists inside. */
export async function gatewayOf(run: Run): Promise<(() => Beside) | undefined> {
  const { runnable, deps, host } = run;
  if (runnable.capabilities.net.length === 0 || deps.offline) return undefined;
  const { openGateway } = await import("../net/gateway.ts"); // lazy: few handlers have the right
  const net = await netFor(run, new Denials());
  const owner = host.mode.kind === "root" ? host.mode.uid : undefined;
  return () => {
    const denied = new Denials();
    return { ...openGateway({ ...net, denied }, owner), denied };
  };
}
