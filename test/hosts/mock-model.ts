import { objectsIn, type Said, type ToolCall, textsIn, type Wire } from "./wires/wire.ts";

/** A request for the model's next answer, as the host sent it. */
export type ModelRequest = {
  /** 0 for the first one of the run. */
  index: number;
  path: string;
  /** Names of the tools that the model may call. */
  tools: string[];
  /** What the tools returned so far, or why they were not run; all of them, in order. */
  results: string[];
  /** All text that the model was told, instructions and earlier turns included, descriptions of tools left out. */
  told: string;
  body: unknown;
};

/** `shell` is a call of whatever tool the host runs commands with. */
export type Turn = Said | { shell: string };

/** The model's mind: what it says to each request. */
export type Script = (request: ModelRequest) => Turn | Promise<Turn>;

/** A request that is not the conversation's: one without tools (a title, a summary), a count of tokens, a list of models. */
export type SideRequest = { method: string; path: string; body: unknown };

export type MockModel = {
  requests: ModelRequest[];
  others: SideRequest[];
  /** What went wrong in the script, or that the host asked too often. */
  failure: () => unknown;
  stop: () => Promise<void>;
};

type Serving = { socket: string; wire: Wire; shell: (command: string) => ToolCall; script: Script };

/** A stop hook that always wants more would go on for ever. */
const MAX_REQUESTS = 40;
const DONE: Said = { text: "done" };

/** A script that says these, one after the other, and "done" from then on. */
export function inTurn(...turns: Turn[]): Script {
  return ({ index }) => turns[index] ?? DONE;
}

/**
 * Serves a model API on a Unix socket: the host is in a network of its own, which nothing but a path leads into.
 * Requests with tools are the conversation and go to the script; others get a text of no meaning.
 */
export function serveModel({ socket, wire, shell, script }: Serving): MockModel {
  const requests: ModelRequest[] = [];
  const others: SideRequest[] = [];
  let failure: unknown;

  const answer = async (path: string, body: unknown): Promise<Response> => {
    const { tools = [], ...rest } = [...objectsIn(body)][0] ?? {};
    const names = [...objectsIn(tools)].flatMap(({ name }) => (typeof name === "string" ? [name] : []));
    if (names.length === 0) {
      others.push({ method: "POST", path, body });
      return streamed(wire.stream(DONE, `side_${others.length}`));
    }
    const index = requests.length;
    const results = wire.results(rest);
    const request = { index, path, tools: names, results, told: textsIn(rest).join("\n"), body };
    requests.push(request);
    if (index >= MAX_REQUESTS) throw new Error(`the host asked the model more than ${MAX_REQUESTS} times`);
    const turn = await script(request);
    return streamed(wire.stream("shell" in turn ? shell(turn.shell) : turn, `mock_${index}`));
  };

  const server = Bun.serve({
    unix: socket,
    async fetch(request, server) {
      // A script may think for longer than a client is usually kept waiting.
      server.timeout(request, 0);
      const path = new URL(request.url).pathname;
      const body: unknown = await request.json().catch(() => undefined);
      if (request.method === "POST" && wire.wantsAnswer(path))
        return answer(path, body).catch((error: unknown) => {
          failure ??= error;
          return refusal(400, String(error));
        });
      others.push({ method: request.method, path, body });
      return refusal(404, "not served here");
    },
  });
  return { requests, others, failure: () => failure, stop: () => server.stop(true) };
}

function streamed(body: string): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** 4xx: hosts try anew after a 5xx. */
function refusal(status: number, message: string): Response {
  return Response.json({ type: "error", error: { type: "invalid_request_error", message } }, { status });
}
