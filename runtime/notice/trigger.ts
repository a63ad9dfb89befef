import { isFault } from "@hookpkg/fault";
import type { CustomEvent, EventName, HandlerName, ModelSize, Payload } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

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

/** The turn of one handler at one event, as the handler's runner asks for it. E_TRIGGER_FAILED for what is no fault of ours. */
export function triggerOf(onTrigger: OnTrigger, about: Omit<Trigger, "prompt" | "model" | "event">) {
  return async (prompt: string, model: ModelSize, signal: AbortSignal): Promise<void> => {
    try {
      await onTrigger({ ...about, event: about.payload.hook_event_name, prompt, model }, signal);
    } catch (error) {
      throw isFault(error) ? error : refuse("E_TRIGGER_FAILED", { found: String(error).slice(0, MAX_FOUND) }, error);
    }
  };
}

const MAX_FOUND = 300;

/** A notice that a handler, a person or a bridge's client tells: `custom.<name>` and any JSON value. */
export type Emitted = { name: CustomEvent; data: unknown };

/** Takes it to be told after the decision. Throws E_EMIT_… */
export type Emit = (emitted: Emitted) => void;
