import { type Fact, isFault } from "@hookpkg/fault";
import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import { decideWithoutRuntime, homeFolders, projectsAround } from "@hookpkg/runtime";
import { foldEvent } from "@hookpkg/spec";
import { oneLine } from "../terminal.ts";
import { type Glimpse, glimpse } from "./event.ts";

/** What is known of a `run` that cannot go on; folders as they were typed. */
export type Stuck = { adapter: HostAdapter; home?: string; folder?: string; input: Uint8Array };

/**
 * The reply when `run` itself cannot start, read or finish: the host's strongest refusal where a closed handler is on
 * record for the event, else a pass that says on stderr what went wrong. An event that cannot be read is taken for a tool
 * call of any tool. Never throws, never a stack.
 */
export function replyWithoutEngine({ adapter, home, folder, input }: Stuck, error: unknown): HostReply {
  const seen = glimpse(adapter, input);
  const event = seen.event === undefined ? undefined : (foldEvent(seen.event) ?? seen.event);
  const code = isFault(error) ? error.code : "E_INTERNAL";
  const plain = plainDecision({ ...seen, event }, home, folder);
  const what = whatHappened(error, input);
  if (plain.refuse) return adapter.refuse({ name: event ?? TOOL_EVENT }, oneLine(`${plain.why}: ${what} [${code}]`));
  return {
    exit: 0,
    stdout: "",
    stderr: `${oneLine(`hookpkg: no hook has run: ${what} [${code}]`)}\n`,
  };
}

const MAX_WORDS = 400;

/** For whoever set the hook up: what was wrong with the call, in words that lead to what mends it. */
function whatHappened(error: unknown, input: Uint8Array): string {
  if (!isFault(error)) return "hookpkg itself failed";
  const { found, expected, meant, known } = error.facts;
  const isEmpty = error.code === "E_HOST_NOT_JSON" && new TextDecoder().decode(input.subarray(0, 100)).trim() === "";
  if (isEmpty) return "there was no event on stdin";
  const about = [
    found === undefined || found === "" ? [] : `found: ${words(found)}`,
    expected === undefined ? [] : `expected: ${words(expected)}`,
    meant === undefined ? [] : `meant: ${words(meant)}`,
    known === undefined ? [] : `known: ${words(known)}`,
  ].flat();
  const text = `${error.message}${about.length > 0 ? ` (${about.join("; ")})` : ""}`;
  return (
    error.code === "E_USAGE" ? `${text}; it is called as: hookpkg run HOST [--project DIR] [--home DIR]` : text
  ).slice(0, MAX_WORDS);
}

function words(fact: Fact): string {
  return Array.isArray(fact) ? fact.join(", ") : String(fact);
}

const TOOL_EVENT = "PreToolUse";

type Seen = Omit<Glimpse, "event"> & { event: string | undefined };

function plainDecision(seen: Seen, home: string | undefined, folder: string | undefined) {
  try {
    const folders = homeFolders(home);
    return decideWithoutRuntime(folders, projectIds(folders, folder ?? seen.cwd), seen.event, seen.subjects);
  } catch {
    // Not even the person's folders can be found: nobody can tell what is guarded.
    return seen.event === undefined || seen.event === TOOL_EVENT
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
