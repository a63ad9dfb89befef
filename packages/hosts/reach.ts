import {
  type Decision,
  type EventName,
  eventRow,
  foldEvent,
  isCustomEvent,
  isMcpTool,
  KNOWN_TOOL_NAMES,
  type Matcher,
  type May,
  matcherWords,
  matches,
  toolSubjects,
} from "@hookpkg/spec";
import type { HostAdapter, HostEvent } from "./adapter.ts";
import type { HookRules } from "./hook-rules.ts";
import { asRecord } from "./host-input.ts";
import { isRefused } from "./refusal-read.ts";

/** Whether a host will ever ask a handler, and how much of what the handler may say it obeys. */
export type Reach = { reach: "runs" | "in part" | "never"; lost: readonly string[] };

/** A handler as far as hosts care. */
export type Reaching = { event: EventName; matcher: Matcher; may: readonly May[] };

/** A host as it stands: which of its own events ask hookpkg now. `rules`: absent where nobody knows its tools. */
export type Asking = { adapter: HostAdapter; events: readonly string[]; rules?: Pick<HookRules, "tools" | "isOpen"> };

/** Computed by the adapter itself: which event it makes of the host's, what it reads of a call, what it writes of an answer. */
export function reachOf({ adapter, events, rules }: Asking, handler: Reaching): Reach {
  const never = (why: string): Reach => ({ reach: "never", lost: [why] });
  if (isCustomEvent(handler.event)) return { reach: "runs", lost: [] }; // other handlers and people tell it, on every host
  const hostEvent = events.find((name) => eventAt(adapter, name) === handler.event);
  if (hostEvent === undefined) return never(`${adapter.name} does not ask hookpkg at ${handler.event}`);
  const unmatched = rules === undefined ? [] : unmatchedTools({ adapter, events, rules }, hostEvent, handler);
  if (unmatched === "none")
    return never(`its matcher is ${matcherWords(handler.matcher)}, and no tool of ${adapter.name} is called that`);
  const lost = [...unmatched, ...lostAnswers(adapter, hostEvent, handler)];
  const isPowerless = lost.includes(POWERLESS) && handler.may.every((may) => may === "cancel");
  return { reach: isPowerless ? "never" : lost.length > 0 ? "in part" : "runs", lost };
}

const POWERLESS = "a refusal is not obeyed there";

function eventAt(adapter: HostAdapter, hostEvent: string): EventName | null | undefined {
  return sample(adapter, hostEvent)?.event ?? foldEvent(hostEvent);
}

/** The event that a host's own name stands for; null when the host has none of that name, undefined when nobody can say which. */
export function knownEvent(adapter: HostAdapter, hostEvent: string): EventName | null | undefined {
  const read = sample(adapter, hostEvent);
  return read === undefined ? foldEvent(hostEvent) : read.event;
}

function sample(adapter: HostAdapter, hostEvent: string, tool = "Bash"): HostEvent | undefined {
  try {
    return adapter.read({
      ...{ hook_event_name: hostEvent, session_id: "reach", transcript_path: null, cwd: "/", tool_name: tool },
      ...{ tool_input: { command: "ls", file_path: "/a" }, tool_response: "ok", prompt: "hello", error: "failed" },
      ...{ source: "startup", reason: "other", trigger: "manual", agent_type: "general", stop_hook_active: false },
    });
  } catch {
    return undefined; // an event with fields of its own: its name is known all the same
  }
}

function unmatchedTools(
  { adapter, rules: { tools, isOpen } }: Required<Asking>,
  hostEvent: string,
  { event, matcher }: Reaching,
): string[] | "none" {
  if (eventRow(event).matches !== "tool" || matcher === null) return [];
  const known = tools.map((tool) => sample(adapter, hostEvent, tool)?.subjects ?? toolSubjects(tool));
  const isAny = known.some((subjects) => matches(matcher, subjects));
  if (!("names" in matcher)) return isAny || isOpen || matcher.re2.includes("mcp") ? [] : "none";
  const foreign = matcher.names.filter((name) => !isMcpTool(name) && !known.some((one) => one.includes(name)));
  const isNone = foreign.length === matcher.names.length && foreign.every((name) => KNOWN_TOOL_NAMES.includes(name));
  if (isNone && !isOpen) return "none";
  return foreign.map((name) => `no tool of ${adapter.name} is called ${name}`);
}

const MARK = "hookpkg reach mark";
const DECISION: Decision = { v: 1, decision: "continue", person: [], handlers: [] };

/** Each answer that the handler may give is written as for the host, and looked for in what the host reads. */
function lostAnswers(adapter: HostAdapter, hostEvent: string, { event, may }: Reaching): string[] {
  const read = sample(adapter, hostEvent);
  if (read === undefined || read.event === null || eventRow(event).kind === "notice") return [];
  const reply = (decision: Partial<Decision>) => adapter.write(read, { ...DECISION, ...decision });
  const written = (decision: Partial<Decision>) => readable(reply(decision));
  const refused = written({ decision: "cancel", reason: MARK });
  const lost: string[] = [];
  if (may.includes("cancel") && !refused.includes(MARK)) lost.push(POWERLESS);
  if (may.includes("ask") && isRefused(reply({ decision: "ask", reason: MARK })))
    lost.push("an ask is a refusal there");
  if (may.includes("context") && !written({ context: MARK }).includes(MARK)) lost.push("context is left out there");
  if (may.includes("patch")) {
    const patch = patchOf(event);
    if (patch !== undefined && isRefused(reply({ patch }))) lost.push("a rewrite is refused there");
    else if (patch !== undefined && !written({ patch }).includes(MARK)) lost.push("a rewrite is left out there");
  }
  return lost;
}

function patchOf(event: EventName): Decision["patch"] | undefined {
  const [field] = eventRow(event).patchable;
  if (field === undefined) return undefined;
  return { [field]: field === "tool_input" ? { command: MARK } : MARK };
}

/** What the host obeys or hands to the model: lines for the person are no answer. */
function readable({ exit, stdout, stderr }: ReturnType<HostAdapter["write"]>): string {
  if (exit !== 0) return `exit ${exit} ${stderr}`;
  try {
    const { systemMessage: _, ...answer } = asRecord(JSON.parse(stdout)) ?? {};
    return JSON.stringify(answer);
  } catch {
    return stdout;
  }
}
