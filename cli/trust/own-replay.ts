import { isFault } from "@hookpkg/fault";
import { type HandlerView, isRecording, readRecordings } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import type { CasesSaid } from "./own-cases.ts";
import { counted } from "./page.ts";
import type { ProjectTrust } from "./project-trust.ts";
import { noneText, saidWords } from "./replay.ts";
import { replayed } from "./replayed.ts";

/** Whoever looks at a handler before they approve it is not kept waiting by it. */
const MAX_CALLS = 50;
const MAX_MS = 30_000;

/** What a handler that waits would have said to the last calls of the project; it warns where it would have meddled or failed. */
export async function replaySaid(call: Call, { home, place }: ProjectTrust, view: HandlerView): Promise<CasesSaid> {
  const recordings = readRecordings(home, place.id, Date.now()).slice(-MAX_CALLS);
  if (recordings.length === 0) return { text: noneText(isRecording(home)), warns: false };
  call.terminal.note(`replaying ${counted(recordings.length, "recorded call")} in the sandbox …`);
  try {
    const [said] = await replayed(home, [view], { recordings, untilMs: performance.now() + MAX_MS });
    if (said === undefined) return { text: "it cannot be read", warns: true };
    return { text: saidWords(said), warns: said.differs.length > 0 || said.failures > 0 };
  } catch (error) {
    if (isFault(error)) return { text: `it could not be run: ${error.message} [${error.code}]`, warns: true };
    throw error;
  }
}
