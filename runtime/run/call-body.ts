import { grantedEnv } from "./child-env.ts";
import type { Run } from "./command.ts";
import { bodyText } from "./worker.ts";

/** What a worker or service is told of one call. Granted variables come with it and are kept nowhere. E_RUN_PAYLOAD. */
export function callBody({ runnable, call }: Run, module?: string): string {
  const { payload, options, host, project = "", recheck } = call;
  const { event, id: handler } = runnable.handler;
  return bodyText({
    ...{ call: "handle", event, handler, host, project, payload, options, recheck },
    env: grantedEnv(runnable, call),
    ...(module === undefined ? {} : { module }),
  });
}
