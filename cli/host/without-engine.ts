import { isFault } from "@hookpkg/fault";
import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import { decideWithoutRuntime, homeFolders, projectsAround } from "@hookpkg/runtime";
import { foldEvent } from "@hookpkg/spec";
import { oneLine } from "../terminal.ts";
import { type Glimpse, glimpse } from "./event.ts";

/** What is known of a `run` that cannot go on; folders as they were typed. */
export type Stuck = { adapter: HostAdapter; home?: string; folder?: string; input: Uint8Array };

/**
 * The reply when `run` itself cannot start, read or finish (cli.md): the host's strongest refusal where a closed handler is on
 * record for the event, else a pass that says on stderr what went wrong. An event that cannot be read is taken for a tool
 * call. Never throws, never a stack.
 */
export function replyWithoutEngine({ adapter, home, folder, input }: Stuck, error: unknown): HostReply {
  const seen = glimpse(adapter, input);
  const name = seen.event === undefined ? TOOL_EVENT : (foldEvent(seen.event) ?? seen.event);
  const code = isFault(error) ? error.code : "E_INTERNAL";
  const plain = plainDecision({ ...seen, event: name }, home, folder);
  if (plain.refuse) return adapter.refuse({ name }, `${plain.why} [${code}]`);
  const what = isFault(error) ? error.message : "hookpkg itself failed";
  return {
    exit: 0,
    stdout: "",
    stderr: `${oneLine(`hookpkg: no hook has run: ${what} [${code}]`)}\n`,
  };
}

const TOOL_EVENT = "PreToolUse";

function plainDecision(seen: Glimpse & { event: string }, home: string | undefined, folder: string | undefined) {
  try {
    const folders = homeFolders(home);
    return decideWithoutRuntime(folders, projectIds(folders, folder ?? seen.cwd), seen.event, seen.subjects);
  } catch {
    // Not even the person's folders can be found: nobody can tell what is guarded.
    return seen.event === TOOL_EVENT
      ? { refuse: true as const, why: "hookpkg: its own folders cannot be read, so the action is refused" }
      : { refuse: false as const };
  }
}

/** Unknown where nothing says where we are, or where the list cannot be read: then any guard counts. */
function projectIds(home: ReturnType<typeof homeFolders>, folder: string | undefined): string[] | undefined {
  if (folder === undefined) return undefined;
  try {
    const ids = projectsAround(home, folder).map(({ id }) => id);
    return ids.length > 0 ? ids : undefined;
  } catch {
    return undefined;
  }
}
