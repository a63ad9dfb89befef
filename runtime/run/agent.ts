import { type Answer, eventRow, type Handler, type Outcome } from "@hookpkg/spec";
import { z } from "zod";
import type { ModelReply, ModelTool } from "../model/client.ts";
import type { Run } from "./command.ts";
import { excerpt, takeTurn } from "./model-turn.ts";

type Agent = Extract<Handler["run"], { type: "agent" }>;
/** A tool of the turn: what the model is told of it, and what a call of it means. */
type Way = ModelTool & { read: (input: unknown) => Answer | undefined };

/**
 * An agent handler: a turn of the model that ends with exactly one call of `hook_continue`, `hook_cancel` or `hook_patch`. The last two
 * are there only where the handler may answer so, and a patch not where only a refusal would count. Text beside the call is thought.
 */
export async function runAgent(run: Run, { prompt, model }: Agent): Promise<Outcome> {
  const { handler } = run.runnable;
  const ways = waysOf(handler, run.call.recheck);
  const tools = ways.map(({ name, description, input }) => ({ name, description, input }));
  return await takeTurn(run, { prompt, model, form: FORM, tools, read: (reply) => answerOf(reply, ways) });
}

const FORM =
  "Decide by calling exactly one of your tools, once. Only the call counts: what you write beside it is read by nobody.";

function answerOf({ text, calls }: ModelReply, ways: readonly Way[]): Answer | string {
  const [call, ...others] = calls;
  if (call === undefined) return `it called nothing: ${excerpt(text)}`;
  if (others.length > 0) return `it made ${calls.length} calls`;
  const way = ways.find(({ name }) => name === call.tool);
  if (way === undefined) return `it called ${excerpt(call.tool)}`;
  return way.read(call.input) ?? `it called ${way.name} with ${excerpt(JSON.stringify(call.input) ?? "nothing")}`;
}

function waysOf({ may, event }: Handler, isRecheck: boolean): Way[] {
  return [
    CONTINUE,
    ...(may.includes("cancel") ? [CANCEL] : []),
    ...(may.includes("patch") && !isRecheck ? [patchOf(eventRow(event).patchable)] : []),
  ];
}

const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
});

const nothing = z.strictObject({});
const CONTINUE: Way = {
  ...{ name: "hook_continue", description: "Lets the action happen as it is.", input: object({}) },
  read: (input) => (nothing.safeParse(input).success ? { answer: "continue" } : undefined),
};

const refusal = z.strictObject({ reason: z.string().trim().min(1) });
const CANCEL: Way = {
  name: "hook_cancel",
  description: "Stops the action.",
  input: object({ reason: { type: "string", description: "One or two sentences for the agent." } }, ["reason"]),
  read(input) {
    const read = refusal.safeParse(input);
    return read.success ? { answer: "cancel", reason: read.data.reason } : undefined;
  },
};

const fields = z.record(z.string(), z.unknown());

/** Whether the fields fit the event is for the chain to say, as with every patch. */
function patchOf(names: readonly string[]): Way {
  const properties = Object.fromEntries(names.map((name) => [name, { ...FIELDS[name] }]));
  return {
    ...{ name: "hook_patch", description: "Lets the action happen with these fields of the event instead." },
    input: object(properties, names.length === 1 ? names : []),
    read(input) {
      const read = fields.safeParse(input);
      return read.success ? { answer: "patch", fields: read.data } : undefined;
    },
  };
}

/** What is known of a field that may be patched; of another one any JSON is. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tool_input: { type: "object", description: "Keys of the tool's input with their new values; other keys stay." },
  prompt: { type: "string" },
  error: { type: "string" },
};
