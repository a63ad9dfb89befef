import { isFault } from "@hookpkg/fault";
import { parseJson } from "@hookpkg/spec";
import { refuse } from "./faults.ts";
import { MAX_PROBLEM_BYTES } from "./limits.ts";
import { faultOf } from "./problem.ts";
import { PROBLEM_TYPE } from "./routes.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request. `accept` is the content type that the answer must have; `maxBytes` and `maxMs` bound all of it. */
export type Ask = {
  readonly url: string;
  readonly init: RequestInit;
  readonly accept: string;
  readonly maxBytes: number;
  readonly maxMs: number;
};

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Uint8Array };

/** Sends a request and reads all of the answer within its bounds. A refusal becomes its fault; 304 has an empty body. */
export async function ask(fetch: Fetch, request: Ask): Promise<Answer> {
  const deadline = AbortSignal.timeout(request.maxMs);
  try {
    const response = await send(fetch, request, deadline);
    const { status, headers } = response;
    if (status === 304) return { status, headers, body: new Uint8Array() };
    if (status >= 300 && status < 400) throw redirected(request, response);
    const type = contentType(headers);
    if (!response.ok) throw await refused(request, response, type, deadline);
    if (type !== request.accept) throw refuse("E_REGISTRY_CONTENT_TYPE", { url: request.url, status, type });
    return { status, headers, body: await readAll(request, response, request.maxBytes, deadline) };
  } catch (error) {
    if (!isFault(error) && deadline.aborted)
      throw refuse("E_REGISTRY_TIMEOUT", { url: request.url, maxMs: request.maxMs }, error);
    throw error;
  }
}

async function send(fetch: Fetch, { url, init, accept }: Ask, signal: AbortSignal): Promise<Response> {
  const headers = { ...Object.fromEntries(new Headers(init.headers).entries()), accept };
  try {
    return await fetch(url, { ...init, headers, signal, redirect: "manual" });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw refuse("E_REGISTRY_UNREACHABLE", { url }, cause);
  }
}

async function refused(request: Ask, response: Response, type: string, deadline: AbortSignal): Promise<Error> {
  const { status } = response;
  if (type !== PROBLEM_TYPE) {
    await response.body?.cancel();
    return refuse("E_REGISTRY_CONTENT_TYPE", { url: request.url, status, type });
  }
  const body = await readAll(request, response, MAX_PROBLEM_BYTES, deadline);
  try {
    return faultOf(status, parseJson(body, { maxBytes: MAX_PROBLEM_BYTES }));
  } catch (cause) {
    return refuse("E_REGISTRY_ANSWER", { url: request.url, status }, cause);
  }
}

async function readAll(request: Ask, response: Response, maxBytes: number, deadline: AbortSignal): Promise<Uint8Array> {
  const { url } = request;
  // A wrong length can only make us refuse early; what counts is counted below, after decompression.
  if (Number(response.headers.get("content-length")) > maxBytes) {
    await response.body?.cancel();
    throw refuse("E_REGISTRY_TOO_LARGE", { url, maxBytes });
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw refuse("E_REGISTRY_TOO_LARGE", { url, maxBytes });
      parts.push(part);
    }
  } catch (cause) {
    if (isFault(cause) || deadline.aborted) throw cause;
    throw refuse("E_REGISTRY_TRUNCATED", { url, bytes }, cause);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function redirected({ url }: Ask, response: Response): Error {
  return refuse("E_REGISTRY_REDIRECT", { url, to: response.headers.get("location") ?? "" });
}

function contentType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
