import type { HostReply } from "./adapter.ts";
import { asRecord } from "./host-input.ts";

const VERDICTS = ["permissionDecision", "decision", "behavior", "permission"];
const NO = ["deny", "block", "cancel"];

/** Whether a reply keeps a call from running, in the words of any host: what an entry printed, and how it ended. */
export function isRefused({ exit, stdout }: Pick<HostReply, "exit" | "stdout">): boolean {
  if (exit === 2) return true;
  try {
    return exit === 0 && saysNo(JSON.parse(stdout), 0);
  } catch {
    return false; // no answer
  }
}

const MAX_DEPTH = 3;

function saysNo(value: unknown, depth: number): boolean {
  const answer = asRecord(value);
  if (answer === undefined || depth > MAX_DEPTH) return false;
  if (VERDICTS.some((key) => NO.includes(String(answer[key])))) return true;
  // Cline's, and opencode's to our own plugin.
  if (answer.cancel === true || (typeof answer.deny === "string" && answer.deny !== "")) return true;
  return [answer.hookSpecificOutput, answer.decision].some((inner) => saysNo(inner, depth + 1));
}
