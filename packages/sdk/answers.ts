import type { Answer, PatchFields } from "@hookpkg/spec";

/** Nothing to say: the chain goes on with the payload as it is. A handler that returns undefined says the same. */
export function next(): Answer {
  return { answer: "continue" };
}

/** The action must not happen; the reason is what the agent reads. */
export function cancel(reason: string): Answer {
  return { answer: "cancel", reason };
}

/** Sets fields of the payload; which ones a patch may name depends on the event. */
export function patch(fields: PatchFields): Answer {
  return { answer: "patch", fields };
}

/** A person decides; where nobody can be asked it is a cancel. */
export function ask(reason: string): Answer {
  return { answer: "ask", reason };
}

/** Text for the agent; the action goes on. */
export function context(text: string): Answer {
  return { answer: "context", context: text };
}

/** Approves in the person's name; never lifts a deny. */
export function allow(reason: string): Answer {
  return { answer: "allow", reason };
}

/** On Stop: stop for good. Elsewhere as the event's table says. */
export function end(reason: string): Answer {
  return { answer: "end", reason };
}
