import { redact } from "@hookpkg/spec";
import type { Runnable } from "../gate/runnable.ts";
import type { Home } from "../home.ts";
import { askModel } from "../model/ask.ts";
import type { ModelClient } from "../model/client.ts";
import type { Outside } from "../outside.ts";
import { type Project, USER } from "../person/projects.ts";
import type { OnTrigger } from "./trigger.ts";
import { keepTriggered } from "./triggered.ts";

/** A paragraph or two: it is read in the midst of somebody's other work. */
const MAX_TOKENS = 1000;
const WORDS = `Answer in plain text of a few sentences, for a coding agent that reads it with its person's next prompt. You have no tools.
When there is nothing worth telling, answer with nothing at all.`;

type World = { home: Home; outside: Outside; secrets: readonly string[]; model: ModelClient | undefined };

/**
 * Where nobody else begins turns: one call of the model, without tools. Its text waits for the project's next prompt or session start, and
 * is told there as this handler's context. E_MODEL_…, E_STATE_….
 */
export function ownTurn(
  { home, outside, secrets, model }: World,
  { name, identity }: Runnable,
  project: Project | undefined,
): OnTrigger {
  return async ({ prompt, model: size, event, payload }, signal) => {
    const { text } = await askModel(model, { size, system: WORDS, prompt, maxTokens: MAX_TOKENS, signal });
    const plain = redact(text, secrets).trim();
    const at = outside.now().toISOString();
    if (plain === "") return;
    const said = { handler: name, identity, event, at, text: plain };
    const { cwd: folder, session_id: session } = payload;
    await (project === undefined
      ? keepTriggered(home, USER, { ...said, outside: { folder, session } })
      : keepTriggered(home, project.id, said));
  };
}
