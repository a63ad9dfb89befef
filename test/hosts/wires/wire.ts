/** One call of a tool. The input is text only for a freeform tool, which codex alone has. */
export type ToolCall = { tool: string; input: Record<string, unknown> | string };

/** What the model says in one answer. */
export type Said = { text: string } | ToolCall;

/** One model API as a host speaks it: what counts as a request for an answer, what a request holds, how an answer is streamed. */
export type Wire = {
  /** Whether a POST to this path wants an answer of the model (others count tokens or list models). */
  wantsAnswer: (path: string) => boolean;
  /** What the tools returned so far, in order: the whole conversation is sent anew with each request. */
  results: (body: unknown) => string[];
  /** The body of the event stream. `id` is unique among the answers of a run. */
  stream: (said: Said, id: string) => string;
};

/** Server-sent events; a named one repeats its name as the `type` of its data. */
export function eventStream(events: readonly ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join("");
}

/** Server-sent events without names. */
export function dataStream(events: readonly unknown[]): string {
  return events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");
}

export function inputOf({ tool, input }: ToolCall): Record<string, unknown> {
  if (typeof input === "string") throw new Error(`${tool}: this model API has no freeform tools`);
  return input;
}

/** Every object in a JSON value, outer ones first. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  const entries: [string, unknown][] = Object.entries(value);
  if (!Array.isArray(value)) yield Object.fromEntries(entries);
  for (const [, inner] of entries) yield* objectsIn(inner);
}

/** Every text in a JSON value, in order; names of fields are none. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
