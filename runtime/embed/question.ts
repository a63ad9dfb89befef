import type { Decision, EventName, HandlerName, Payload } from "@hookpkg/spec";

/** What a person is to decide: `payload` is the event as it would go on, with all patches. */
export type Question = {
  event: EventName;
  reason: string;
  /** Who asks. */
  handlers: readonly HandlerName[];
  payload: Payload;
  /** Fires when no answer counts any more. */
  signal: AbortSignal;
};

/** Yes is true and nothing else. */
export type Ask = (question: Question) => boolean | Promise<boolean>;

/** A person may take so long. */
export const ASK_MS = 10 * 60_000;

/**
 * The decision when a person has answered: yes is continue, with the patch; no, a question that failed, and one that nobody answered in
 * time are cancel. Any other decision than `ask` is given back as it is. Never throws.
 */
export async function answered(
  decision: Omit<Decision, "person">,
  payload: Payload,
  { ask, timeoutMs, closing }: { ask: Ask; timeoutMs: number; closing: AbortSignal },
): Promise<Omit<Decision, "person">> {
  if (decision.decision !== "ask") return decision;
  const { reason = "", patch, ...rest } = decision;
  const handlers = decision.handlers.filter(({ answer }) => answer === "ask").map(({ handler }) => handler);
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  const shown = structuredClone({ ...payload, ...patch }); // what is shortened to be shown is not what will be done
  const asked = { event: payload.hook_event_name, reason, handlers, payload: shown, signal };
  const said = await put(ask, asked);
  if (said === "yes") return { ...rest, decision: "continue", ...(patch === undefined ? {} : { patch }) };
  return { ...rest, decision: "cancel", reason: `${reason}\n${WORDS[said]}` };
}

const WORDS = {
  no: "A person was asked and said no.",
  failed: "A person's approval was needed, and the question could not be put.",
  late: "A person's approval was needed, and nobody answered in time.",
} as const;

async function put(ask: Ask, question: Question): Promise<"yes" | keyof typeof WORDS> {
  const { signal } = question;
  const late = Promise.withResolvers<"late">();
  const giveUp = () => late.resolve("late");
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  const said = (async () => ((await ask(question)) === true ? "yes" : "no"))().catch(() => "failed" as const);
  return Promise.race([late.promise, said]).finally(() => signal.removeEventListener("abort", giveUp));
}
