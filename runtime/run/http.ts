import { isFault } from "@hookpkg/fault";
import { fillHeader, type Handler, type Outcome, readCommandAnswer, substitute } from "@hookpkg/spec";
import { Denials } from "../net/denials.ts";
import { valuesOf } from "../net/message.ts";
import { request } from "../net/request.ts";
import { answered } from "./answered.ts";
import { grantedEnv, placesOf } from "./child-env.ts";
import { deadlineOf, type Run } from "./command.ts";
import { netFor } from "./desk.ts";

const MAX_ANSWER_BYTES = 1024 * 1024;

type Http = Extract<Handler["run"], { type: "http" }>;

/**
 * An http handler: the event goes to its one host, 2xx is a command's exit 0 with the body as stdout, and anything else failed. A redirect
 * is followed only where it stays this request; its headers, and the secrets in them, go to no other host.
 */
export async function runHttp(run: Run, { url, headers }: Http): Promise<Outcome> {
  const from = performance.now();
  const { runnable, call, deps } = run;
  const denied = new Denials();
  const aside = () => {
    const found = denied.take();
    return { ms: performance.now() - from, ...(found.length > 0 ? { denied: found } : {}) };
  };
  if (deps.offline) return { outcome: "failed", why: "E_HTTP_OFFLINE", ...aside() };
  const env = grantedEnv(runnable, call);
  const filled = Object.entries(headers).map(([name, template]) => [name, fillHeader(template, env)] as const);
  const missing = filled.find(([, value]) => value === undefined)?.[0];
  if (missing !== undefined) return { outcome: "failed", why: "E_HTTP_VARIABLE_MISSING", detail: missing, ...aside() };
  const wanted = {
    method: "POST",
    headers: [CONTENT, ...filled.map(([name, value = ""]) => [name, value] as const)],
    body: Buffer.from(JSON.stringify(call.payload)),
    ...{ maxBytes: MAX_ANSWER_BYTES, keepsMethod: true },
  };
  try {
    const answer = await request(placed(url, run), wanted, await netFor(run, denied), deadlineOf(run));
    if (answer.status < 200 || answer.status > 299)
      return { outcome: "failed", why: "E_HTTP_STATUS", detail: `status ${answer.status}`, ...aside() };
    const coding = valuesOf(answer.headers, "content-encoding").find((each) => each.toLowerCase() !== "identity");
    if (coding !== undefined)
      // it was asked for none, and nobody here could read the answer
      return { outcome: "failed", why: "E_NET_MESSAGE", detail: "found content-encoding", ...aside() };
    const { event, answers, id } = runnable.handler;
    const end = { exit: 0, stdout: answer.body, stderr: new Uint8Array(), event, answers, handler: id };
    return answered(readCommandAnswer(end), runnable.handler, aside());
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.code === "E_NET_LATE") return { outcome: "late", why: "E_RUN_LATE", ...aside() };
    return { outcome: "failed", why: error.code, detail: detailOf(error.facts), ...aside() };
  }
}

const CONTENT = ["content-type", "application/json"] as const;

/** Folders of ours in an address are data of it, whatever signs they have. */
function placed(url: string, { call }: Run): string {
  const places = Object.entries(placesOf(call)).map(([name, value]) => [name, encodeURIComponent(value)]);
  return substitute(url, Object.fromEntries(places), "data");
}

function detailOf(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ")
    .slice(0, 300);
}
