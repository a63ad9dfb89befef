import { describe, expect, test } from "bun:test";
import { chownSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { handlerName } from "@hookpkg/spec";
import { temporaryFolder } from "../author/test-program.ts";
import { type CoreApi, coreApi } from "./eva-api.ts";

const never = new AbortController().signal;
const trigger: Parameters<CoreApi["onTrigger"]>[0] = {
  ...{ handler: handlerName("@a/b", "c"), event: "spend.day", prompt: "where did it go", model: "small", host: "eva" },
  payload: { hook_event_name: "spend.day", session_id: "s", transcript_path: null, cwd: "/" },
};
const question = { size: "large", system: "be brief", prompt: "why", maxTokens: 10, signal: never } as const;

function usable(address: string): CoreApi {
  const api = coreApi(address);
  if (api === undefined || "unusable" in api) throw new Error(address);
  return api;
}

/** What the core's API is asked, answered by `answer`. */
function serve(where: { unix: string } | { hostname: string; port: 0 }, answer: (path: string) => Response) {
  const asked: [path: string, body: unknown][] = [];
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push([`${request.method} ${pathname}`, await request.json()]);
    return answer(pathname);
  };
  const server = "unix" in where ? Bun.serve({ unix: where.unix, fetch }) : Bun.serve({ ...where, fetch });
  return { asked, port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) };
}

const code = (work: Promise<unknown>) =>
  work.then(String, (error: unknown) => (isFault(error) ? error.code : `${error}`));

describe("the address", () => {
  test.each(["unix:/run/eva/api.sock", "http://127.0.0.1:8080/v1/", "http://127.9.9.9", "http://[::1]:80/"])(
    "%s is used",
    (address) => expect(coreApi(address)).toHaveProperty("onTrigger"),
  );

  test.each([
    "unix:api.sock",
    "unix:/a\0b",
    `unix:/${"a".repeat(107)}`,
    "https://127.0.0.1:1",
    "http://localhost:1",
    "http://127.0.0.1.example.com",
    "http://example.com",
    "http://10.0.0.1",
    "http://[::ffff:10.0.0.1]",
    "http://me:secret@127.0.0.1:1",
    "http://127.0.0.1:1/?to=http://example.com",
    "file:///run/eva/api.sock",
    "",
    {},
    7,
  ])("%p is not used", (address) => expect(coreApi(address)).toHaveProperty("unusable"));

  test("none is none", () => expect([coreApi(undefined), coreApi(null)]).toEqual([undefined, undefined]));
});

test("a turn is begun and a prompt completed, on a socket and on a port below a path", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "api.sock");
  const answer = (at: string) =>
    at.endsWith("/turns") ? new Response(null, { status: 202 }) : Response.json({ text: "so" });
  using onSocket = serve({ unix: path }, answer);
  using onPort = serve({ hostname: "127.0.0.1", port: 0 }, answer);
  for (const [address, asked, base] of [
    [`unix:${path}`, onSocket.asked, ""],
    [`http://127.0.0.1:${onPort.port}/v1/`, onPort.asked, "/v1"],
  ] as const) {
    const api = usable(address);
    await api.onTrigger(trigger, never);
    expect(await api.model(question)).toEqual({ text: "so", calls: [] });
    expect(asked).toEqual([
      [`POST ${base}/turns`, { prompt: "where did it go", origin: { handler: "@a/b#c", event: "spend.day" } }],
      [`POST ${base}/completions`, { prompt: "why", system: "be brief", size: "large" }],
    ]);
  }
});

test.each([
  ["a refusal", () => new Response("no", { status: 500 })],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 307)],
  ["another form", () => Response.json({ said: "so" })],
  ["no JSON", () => new Response("so")],
  ["too much", () => Response.json({ text: "x".repeat(1024 * 1024) })],
] as const)("%s is a fault and no text", async (_, answer) => {
  using at = serve({ hostname: "127.0.0.1", port: 0 }, answer);
  expect(await code(usable(`http://127.0.0.1:${at.port}`).model(question))).toBe("E_EVA_API");
});

test("nobody there, tools that it has none for, and a signal that ends it are faults, too", async () => {
  expect(await code(usable("unix:/nonexistent/api.sock").onTrigger(trigger, never))).toBe("E_EVA_API");
  const tools = [{ name: "hook_continue", description: "", input: {} }];
  expect(await code(usable("unix:/nonexistent/api.sock").model({ ...question, tools }))).toBe("E_EVA_API");
  const gate = Promise.withResolvers<void>();
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: () => gate.promise.then(() => new Response("late")),
  });
  const stop = new AbortController();
  const waiting = usable(`http://127.0.0.1:${server.port}`).onTrigger(trigger, stop.signal);
  stop.abort();
  expect(await code(waiting)).toBe("E_EVA_API");
  gate.resolve();
  server.stop(true);
});

describe.each<[string, (socket: Socket) => void]>([
  ["changes the protocol", (socket) => socket.write("HTTP/1.1 101 So\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")],
  ["hangs up", (socket) => socket.destroy()],
  ["says half a head", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-")],
  ["says half a body", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")],
  ["is no server", (socket) => socket.end("\0\0\r\n\r\n")],
])("a core that %s", (_, says) => {
  test("has not answered", async () => {
    const server = createServer((socket) => void socket.on("error", () => {}).once("data", () => says(socket)));
    using folder = temporaryFolder();
    const path = join(folder.path, "api.sock");
    await new Promise<void>((listens) => void server.listen(path, listens));
    expect(await code(usable(`unix:${path}`).onTrigger(trigger, AbortSignal.timeout(2000)))).toBe("E_EVA_API");
    server.close();
  });
});

test("what is no socket is not spoken to", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "api.sock");
  writeFileSync(path, "");
  expect(await code(usable(`unix:${path}`).model(question))).toBe("E_EVA_API");
});

test.if(process.getuid?.() === 0)("another user's socket at the core's path is told nothing", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "api.sock");
  using at = serve({ unix: path }, () => Response.json({ text: "so" }));
  chownSync(path, 65_534, 65_534);
  expect(await code(usable(`unix:${path}`).model(question))).toBe("E_EVA_API");
  expect(at.asked).toEqual([]);
});
