import type { CustomEvent, EventName, HandlerName, ModelSize, Payload } from "@hookpkg/spec";

/** A prompt handler of a notice, met by that notice: a turn that somebody is to begin. */
export type Trigger = {
  handler: HandlerName;
  event: EventName;
  /** The handler's prompt with the event in the place of `$ARGUMENTS`, fenced. */
  prompt: string;
  model: ModelSize;
  payload: Payload;
  host: string;
  /** The project's root; absent outside every registered project. */
  project?: string;
};

/** Begins the turn. That it was begun is all that is waited for. */
export type OnTrigger = (trigger: Trigger, signal: AbortSignal) => Promise<void>;

/** The turn of one handler at one event, as the handler's runner asks for it. */
export function triggerOf(onTrigger: OnTrigger, about: Omit<Trigger, "prompt" | "model" | "event">) {
  return (prompt: string, model: ModelSize, signal: AbortSignal) =>
    onTrigger({ ...about, event: about.payload.hook_event_name, prompt, model }, signal);
}

/** A notice that a handler, a person or a bridge's client tells: `custom.<name>` and any JSON value. */
export type Emitted = { name: CustomEvent; data: unknown };

/** Takes it to be told after the decision. Throws E_EMIT_… */
export type Emit = (emitted: Emitted) => void;
