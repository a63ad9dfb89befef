import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@hookpkg/spec";

type Provider = NonNullable<Config["model"]>["provider"];

/** What a model says: `refusal` in its provider's own form, a call's input as a value or as the text that stands for it. */
export type Speech = {
  text?: string;
  calls?: readonly { tool: string; input: unknown }[];
  refusal?: string;
  isCut?: boolean;
};

/** A request as the server got it, in one form for both wires. */
export type Got = {
  path: string;
  headers: Readonly<Record<string, string>>;
  model: string;
  system: string;
  user: string;
  roles: readonly string[];
  tools: readonly string[];
  body: Readonly<Record<string, unknown>>;
};

/** For tests: a server of this machine that speaks both providers' real wires and says what the test makes it say. */
export function modelServer() {
  const got: Got[] = [];
  let reply: (provider: Provider) => Response | Promise<Response> = () => new Response(null, { status: 500 });
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 0 },
    async fetch(request) {
      const body = (await request.json()) as Body; // the SDK made it
      const { pathname } = new URL(request.url);
      const provider = pathname === "/v1/messages" ? "anthropic" : "openai-compatible";
      got.push({ path: pathname, headers: request.headers.toJSON(), ...partsOf(body) });
      return await reply(provider);
    },
  });
  return {
    got,
    url: `http://127.0.0.1:${server.port}/v1`,
    port: server.port ?? 0,
    says(speech: Speech) {
      reply = (provider) => Response.json(provider === "anthropic" ? messageOf(speech) : completionOf(speech));
    },
    does(what: typeof reply) {
      reply = what;
    },
    stop: () => server.stop(true),
  };
}

/** A person's config with this model, and the file of its key. */
export function configure(config: string, provider: Provider, url: string, { mode = 0o600, key = "k-3y" } = {}): void {
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const keyFile = join(config, "model.key");
  writeFileSync(keyFile, `${key}\n`, { mode });
  const model = { provider, url, keyFile, small: "little", large: "big" };
  writeFileSync(join(config, "config.json"), JSON.stringify({ v: 1, options: {}, model }), { mode: 0o600 });
}

export function completionOf({ text, calls = [], refusal, isCut = false }: Speech) {
  const tool_calls = calls.map(({ tool, input }, n) => ({
    ...{ id: `call_${n}`, type: "function" },
    function: { name: tool, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  const message = {
    ...{ role: "assistant", content: text ?? null },
    ...(refusal === undefined ? {} : { refusal }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = isCut ? "length" : tool_calls.length > 0 ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message, finish_reason }],
    usage,
  };
}

export function messageOf({ text, calls = [], refusal, isCut = false }: Speech) {
  const uses = calls.map(({ tool, input }, n) => ({ type: "tool_use", id: `toolu_${n}`, name: tool, input }));
  const words = text ?? refusal;
  const content = [...(words === undefined ? [] : [{ type: "text", text: words }]), ...uses];
  const ended = uses.length > 0 ? "tool_use" : "end_turn";
  const stop_reason = refusal !== undefined ? "refusal" : isCut ? "max_tokens" : ended;
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { id: "m", type: "message", role: "assistant", model: "m", content, stop_reason, stop_sequence: null, usage };
}

type Part = { role: string; content: string | { text: string }[] };
type Body = {
  model: string;
  messages: Part[];
  system?: { text: string }[];
  tools?: { name?: string; function?: { name: string } }[];
};

function partsOf(body: Body): Omit<Got, "path" | "headers"> {
  const textOf = ({ content }: Part) =>
    typeof content === "string" ? content : content.map(({ text }) => text).join("");
  const all = [...(body.system ?? []).map(({ text }) => ({ role: "system", content: text })), ...body.messages];
  const of = (role: string) =>
    all
      .filter((part) => part.role === role)
      .map(textOf)
      .join("\n");
  return {
    ...{ model: body.model, system: of("system"), user: of("user"), roles: all.map(({ role }) => role), body },
    tools: (body.tools ?? []).map(({ name, function: named }) => name ?? named?.name ?? ""),
  };
}
