import { isFault } from "@hookpkg/fault";
import type { Answer, ModelSize, Outcome } from "@hookpkg/spec";
import { askModel } from "../model/ask.ts";
import type { ModelReply, ModelTool } from "../model/client.ts";
import { fence } from "../model/fence.ts";
import { answered } from "./answered.ts";
import { deadlineOf, type Run } from "./command.ts";

/** What a model is asked about an event, and how its reply is read: an answer, or in a few words what was wrong. */
export type Turn = {
  prompt: string;
  model: ModelSize;
  /** How it is to answer; what the event is stands before it. */
  form: string;
  tools?: readonly ModelTool[];
  read: (reply: ModelReply) => Answer | string;
};

/** Of a reply, hidden thoughts of the model among them. */
const MAX_TOKENS = 4096;

/** One request and what it means. Nothing in the turn reaches a hook again: the model has no tools but those that answer. */
export async function takeTurn(run: Run, { prompt, model, form, tools = [], read }: Turn): Promise<Outcome> {
  const from = performance.now();
  const { handler } = run.runnable;
  const aside = () => ({ ms: performance.now() - from });
  try {
    const fenced = fence(prompt, run.call.payload);
    const reply = await askModel(run.deps.model, {
      ...{ size: model, prompt: fenced.prompt, system: `${ROLE} ${fenced.words}\n\n${form}`, tools },
      ...{ maxTokens: MAX_TOKENS, signal: deadlineOf(run) },
    });
    // What was cut off could be a second call, or what would have made it no answer.
    const answer = reply.isCut ? `it was cut after ${MAX_TOKENS} tokens: ${excerpt(reply.text)}` : read(reply);
    if (typeof answer === "string") return { outcome: "failed", why: "E_MODEL_ANSWER", detail: answer, ...aside() };
    return answered({ answer, notes: [] }, handler, aside());
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code === "E_NET_LATE") return { outcome: "late", why: "E_RUN_LATE", ...aside() };
    // A closed guard that was to ask a model holds what it guards while there is none.
    const none = handler.failMode === "closed" ? "held" : "skipped";
    const outcome = error.code === "E_MODEL_NONE" ? none : "failed";
    return { outcome, why: error.code, detail: JSON.stringify(error.facts).slice(0, 300), ...aside() };
  }
}

const ROLE =
  "You judge one event of a coding agent, for the person who runs the agent. The message is the question that you judge it by.";

/** Far more than anybody is shown, which is cut when secrets are out of it: of one that was cut in half the head would stay. */
const MAX_EXCERPT_CHARS = 4000;

/** What a model wrote, for people: the beginning. */
export function excerpt(text: string): string {
  return text.trim().slice(0, MAX_EXCERPT_CHARS);
}
