import { statSync } from "node:fs";
import { type ClientRequest, request } from "node:http"; // fetch would ask a proxy of the environment
import type { ModelClient, OnTrigger } from "@hookpkg/runtime";
import { parseJson } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";

/** What a core does for its module: begins turns, completes prompts. Both throw E_EVA_API. */
export type CoreApi = { onTrigger: OnTrigger; model: ModelClient };

/**
 * The API at the address that the core named at the handshake: `unix:/path`, or `http://` of a loopback address. What else it says is
 * not used: prompts hold events, and events hold what the person works on. Undefined when it named none.
 */
export function coreApi(said: unknown): CoreApi | { unusable: string } | undefined {
  if (said === undefined || said === null) return undefined;
  const address = addressOf(said);
  if (address === undefined) return { unusable: "unix:/path or http:// of a loopback address is" };
  return {
    // Eva's document names no form for either: this is the one place where it is chosen.
    onTrigger: async ({ prompt, handler, event }, signal) => {
      await post(address, "/turns", { prompt, origin: { handler, event } }, signal);
    },
    model: async ({ prompt, system, size, tools = [], signal }) => {
      if (tools.length > 0) throw refuse("E_EVA_API", { path: "/completions", found: "a request with tools" });
      const words = system === "" ? {} : { system };
      const bytes = await post(address, "/completions", { prompt, ...words, size }, signal);
      return { text: completionIn(bytes), calls: [] };
    },
  };
}

type Address = { base: string } & ({ socketPath: string } | { host: string; port: number });

const MAX_ADDRESS_CHARS = 500;
/** The kernel's. */
const MAX_SOCKET_PATH_BYTES = 107;
const LOOPBACK = /^127(?:\.\d{1,3}){3}$/;

function addressOf(said: unknown): Address | undefined {
  if (typeof said !== "string" || said.length > MAX_ADDRESS_CHARS || said.includes("\0")) return undefined;
  if (said.startsWith("unix:/")) {
    const socketPath = said.slice("unix:".length);
    return Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES ? undefined : { socketPath, base: "" };
  }
  const url = URL.canParse(said) ? new URL(said) : undefined;
  if (url?.protocol !== "http:" || url.username || url.password || url.search || url.hash) return undefined;
  const host = url.hostname === "[::1]" ? "::1" : url.hostname;
  if (host !== "::1" && !LOOPBACK.test(host)) return undefined; // a name could lead anywhere
  return { host, port: Number(url.port || 80), base: url.pathname.replace(/\/+$/, "") };
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** A caller has less, as a rule: this is for one that has none. */
const MAX_WAIT_MS = 60_000;

async function post(address: Address, path: string, body: object, signal: AbortSignal): Promise<Uint8Array> {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  const { base, ...place } = address;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  try {
    if ("socketPath" in place) refuseForeign(place.socketPath);
    const asking = request({ ...place, path: `${base}${path}`, method: "POST", headers, signal: ends, agent: false });
    return await answerTo(asking, text);
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause);
    throw refuse("E_EVA_API", { path, found: found.slice(0, MAX_FOUND_CHARS) }, cause);
  }
}

const MAX_FOUND_CHARS = 200;

/** In a folder of many a core's socket can be taken away by its end, and another user's stand there. */
function refuseForeign(socketPath: string): void {
  const found = statSync(socketPath);
  if (!found.isSocket() || found.uid !== process.getuid?.()) throw new Error("no socket of this user");
}

function answerTo(asking: ClientRequest, text: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    asking.on("error", reject); // another one may follow, and would be nobody's
    const gone = () => reject(new Error("no answer")); // whatever else was said: a change of protocol, half a head
    asking.once("close", gone);
    asking.once("response", (answer) => {
      asking.off("close", gone);
      answer.once("close", gone);
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      answer.on("data", (chunk: Uint8Array) => {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) asking.destroy(new Error("an answer that is too large"));
        else chunks.push(chunk);
      });
      answer.on("error", reject);
      answer.once("aborted", () => reject(new Error("half an answer")));
      answer.once("end", () => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(Buffer.concat(chunks));
        else reject(new Error(`status ${status}`)); // a redirect, too: nobody else is told
      });
    });
    asking.end(text);
  });
}

const completion = z.looseObject({ text: z.string() });

function completionIn(bytes: Uint8Array): string {
  try {
    return completion.parse(parseJson(bytes, { maxBytes: MAX_ANSWER_BYTES })).text;
  } catch (cause) {
    throw refuse("E_EVA_API", { path: "/completions", found: "an answer of another form" }, cause);
  }
}
