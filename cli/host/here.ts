import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import { homeFolders, openEngine } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { writeAll } from "../terminal.ts";
import { endOf } from "./entry-end.ts";
import { adapterOf } from "./event.ts";
import { judgeEvent, projectFolder } from "./judge.ts";
import { replyWithoutEngine, type Stuck } from "./without-engine.ts";

/** The event judged in this process: whatever goes wrong is a reply, too. E_HOST_UNKNOWN. */
export async function judgeHere(
  call: Call,
  host: string,
  input: Uint8Array,
): Promise<{ reply: HostReply; after?: () => Promise<void> }> {
  const adapter = adapterOf(host);
  const stuck: Stuck = { adapter, input, ...folders(call, adapter) };
  try {
    const engine = openEngine({ home: homeFolders(call.home), env: call.env, worker: process.execPath });
    const project = call.project === undefined ? {} : { project: call.project };
    const left: (() => Promise<void>)[] = [];
    const afterwards = { after: (work: () => Promise<void>) => void left.push(work), stays: false };
    const from = { ...project, env: call.env, pid: process.pid, spentMs: performance.now() }; // since the start
    const reply = await judgeEvent(adapter, input, { from, afterwards }, engine);
    const after = async () => {
      for (const work of left) await work();
    };
    return left.length === 0 ? { reply } : { reply, after };
  } catch (error) {
    return { reply: replyWithoutEngine(stuck, error) };
  }
}

/** The end of a `run` that an error nobody waited for has reached. */
export function endWithout(call: Call, host: string, input: Uint8Array, error: unknown): never {
  const adapter = adapterOf(host);
  const { exit, stdout, stderr } = replyWithoutEngine({ adapter, input, ...folders(call, adapter) }, error);
  writeAll(1, stdout);
  writeAll(2, stderr);
  process.exit(call.flags.on("entry") ? endOf(exit, ["--entry"]) : exit);
}

function folders(call: Call, adapter: HostAdapter): { home?: string; folder?: string } {
  const folder = call.project ?? projectFolder(call.env, adapter);
  return { ...(call.home === undefined ? {} : { home: call.home }), ...(folder === undefined ? {} : { folder }) };
}
