import { eventRow, matches, type NormalForm, type Payload, permits, toolSubjects } from "@hookpkg/spec";
import type { Approved } from "../gate/runnable.ts";

type Declared = Pick<NormalForm, "event" | "matcher">;

/** What the matchers of this event are tried against: the tool's canonical name and aliases, or its reason. */
export function subjectsOf(payload: Payload, hostTool?: string): readonly string[] {
  const row = eventRow(payload.hook_event_name);
  if (row.matches === "tool") return toolSubjects(payload.tool_name ?? "", hostTool);
  return row.matches === "reason" ? [payload.reason ?? ""] : [];
}

/** Whether a declaration's event and matcher fit. A patch changes neither, so this is asked once per event. */
export function concerns(declared: Declared, payload: Payload, subjects: readonly string[]): boolean {
  return declared.event === payload.hook_event_name && matches(declared.matcher, subjects);
}

/** The last question before a run, on the payload as patched so far. */
export function isWanted(handler: Approved, payload: Payload): boolean {
  const rules = handler.normalForm.if;
  return rules.length === 0 || rules.some((rule) => permits(rule, payload));
}
