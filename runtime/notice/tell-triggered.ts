import type { EventName } from "@hookpkg/spec";
import type { Decided } from "../decision/decide.ts";
import { contextBlock } from "../decision/wording.ts";
import type { Approved } from "../gate/runnable.ts";
import type { Found } from "../gate/which-project.ts";
import { journalTold } from "../journal/journal-event.ts";
import { triggeredLine } from "../journal/lines.ts";
import { USER } from "../person/projects.ts";
import type { Engine, Request } from "../request.ts";
import { BYTES, CHARACTERS } from "../spill/ends.ts";
import { MAX_TOGETHER } from "../spill/worded.ts";
import { takeTriggered } from "./triggered.ts";

/** Where a model listens with nothing under way yet. */
const LISTENS: readonly EventName[] = ["UserPromptSubmit", "SessionStart"];
/**
 * The decision with what turns of triggers have said in this project since it was last asked, once, as context of their handlers. Nothing
 * is taken where it would not arrive, and nobody speaks who is no longer approved. E_STATE_….
 */
export async function withTriggered(
  request: Request,
  engine: Engine,
  { found, handlers, decided }: { found: Found; handlers: readonly Approved[]; decided: Decided },
): Promise<Decided> {
  const { home } = engine;
  const { decision } = decided;
  const { payload, host, takesContext = true, takes } = request;
  const isRefused = decision.decision === "cancel" || decision.decision === "end";
  if (!takesContext || isRefused || !LISTENS.includes(payload.hook_event_name)) return decided;
  const measure = takes?.unit === "bytes" ? BYTES : CHARACTERS;
  const room = Math.min(takes?.max ?? MAX_TOGETHER, MAX_TOGETHER);
  const blocks: string[] = decision.context === undefined ? [] : [decision.context];
  const speakers: { handler: Approved; said: string }[] = [];
  const choose = ({ handler, identity, at, event, text, outside }: Parameters<Choose>[0]) => {
    if (outside !== undefined && outside.folder !== payload.cwd && outside.session !== payload.session_id)
      return "leave";
    const speaker = handlers.find((one) => one.name === handler && one.identity === identity);
    if (speaker === undefined) return "drop";
    const block = contextBlock(handler, text, speaker.normalForm.outputLimit);
    if (measure([...blocks, block].join(BETWEEN)) > room) return "leave";
    blocks.push(block);
    speakers.push({ handler: speaker, said: `what its turn said of ${event} at ${at}` });
    return "take";
  };
  const project = found.projects.at(-1)?.id ?? USER;
  await takeTriggered(home, project, { nowMs: engine.outside.now().getTime(), choose });
  if (speakers.length === 0) return decided;
  const occasion = { payload, subjects: [], host, at: engine.outside.now().toISOString(), decision };
  const lines = speakers.map(({ handler, said }) => triggeredLine(handler, said, occasion));
  await journalTold(engine, project, lines);
  return { ...decided, decision: { ...decision, context: blocks.join(BETWEEN) } };
}

type Choose = Parameters<typeof takeTriggered>[2]["choose"];
const BETWEEN = "\n\n";
