// The first and only program of a module worker, started as `hookpkg bootstrap.js [module]`. It closes the doors that a module could
// use, then loads the one that it is told at its start or by a call. Bundled into bootstrap.generated.js by generate-bootstrap.ts.
//
// State between calls: a module is loaded once and keeps its variables for the worker's life, which ends without notice (idle, memory,
// a broken call, an approval that changed). Modules of one package share a worker, packages and projects never do. Options and granted
// variables come with each call. `isolate: "call"` gives every call a process of its own.
import { dlopen, ptr } from "bun:ffi";
import { openSync, writeSync } from "node:fs";
import * as sdk from "@hookpkg/sdk";
import type { CallFrame, RpcResult, WorkerFrame } from "@hookpkg/spec";
import type { Fetched } from "../net/fetch.ts";
import { PLUGIN_ROOT } from "../sandbox/profile.ts";
import { noExecFilter } from "../sandbox/seccomp.ts";
import { callsFrom } from "./call-lines.ts";

const MAX_FRAME_BYTES = 8 * 1024 * 1024;
/** What the start did not limit already. */
const LIMITS = [
  [7, 256], // RLIMIT_NOFILE
  [1, 8 * 1024 * 1024], // RLIMIT_FSIZE
] as const;

const libc = dlopen("libc.so.6", {
  dup: { args: ["i32"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  syscall: { args: ["i64", "i64", "i64", "ptr"], returns: "i64" },
}).symbols;

// The wire moves away from 0 and 1, so that a module's console.log or read of stdin cannot break it by accident.
const input = libc.dup(0);
const output = libc.dup(1);
libc.dup2(openSync("/dev/null", "r"), 0);
libc.dup2(2, 1);
harden();

const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
let rpcs = 0;

Bun.plugin({
  name: "hookpkg-sdk",
  setup(build) {
    build.module("@hookpkg/sdk", () => ({ exports: { ...sdk }, loader: "object" }));
  },
});
say({ ready: 1 });
const modules = new Map<string, Promise<Handle>>();
const first = process.argv[2];
if (first !== undefined) load(first).catch(() => {}); // it is told at the first call
// An error that nobody waits for may be the reason why no answer comes.
let current: number | undefined;
for (const stray of ["uncaughtException", "unhandledRejection"]) {
  process.on(stray, (error) => {
    console.error(error);
    if (current === undefined) process.exit(1); // nobody knows what state it is in
    end({ id: current, failed: "E_RUN_THREW", detail: words(error) });
  });
}
for await (const frame of callsFrom(input)) {
  if (!("call" in frame)) settle(frame);
  else {
    current = frame.id;
    rpcs = 0;
    pending.clear();
    void answer(frame);
  }
}

function harden(): void {
  for (const [resource, value] of LIMITS) {
    const pair = new BigUint64Array([BigInt(value), BigInt(value)]);
    if (libc.setrlimit(resource, ptr(pair)) !== 0) throw new Error(`limit ${resource} was not set`);
  }
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const filter = noExecFilter(arch);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, filter.byteLength / 8, true);
  program.setBigUint64(8, BigInt(ptr(filter)), true);
  const seccomp = { x64: 317, arm64: 277 }[arch];
  const [SET_MODE_FILTER, ALL_THREADS] = [1, 1];
  if (Number(libc.syscall(seccomp, SET_MODE_FILTER, ALL_THREADS, ptr(program))) !== 0)
    throw new Error("the filter was not set");
}

type Handle = (payload: unknown, ctx: Record<string, unknown>) => unknown;

function load(path: string): Promise<Handle> {
  const known = modules.get(path) ?? imported(`${PLUGIN_ROOT}/${path}`);
  modules.set(path, known);
  return known;
}

async function imported(path: string): Promise<Handle> {
  const module: Record<string, unknown> = await import(path);
  if (typeof module.default !== "function") throw new Error("the default export is not a function");
  return module.default as Handle; // checked above
}

async function answer(call: CallFrame): Promise<void> {
  const { id } = call;
  let handle: Handle;
  try {
    handle = await load(call.module ?? "");
  } catch (error) {
    return end({ id, failed: "E_RUN_MODULE", detail: words(error) });
  }
  try {
    const said = await handle(call.payload, contextOf(call));
    end({ id, answer: said === undefined ? { answer: "continue" } : said });
  } catch (error) {
    end({ id, failed: "E_RUN_THREW", detail: words(error) });
  }
}

/** A call's last word; one that comes after it is nobody's any more. */
function end(frame: Extract<WorkerFrame, { answer: unknown } | { failed: string }>): void {
  if (current !== frame.id) return;
  say(frame);
  current = undefined;
}

function contextOf(call: CallFrame): Record<string, unknown> {
  const from = performance.now();
  let signal: AbortSignal | undefined; // few handlers look at it, and each is a timer
  const rpc = (name: RpcName, args: unknown) => ask(call.id, name, args);
  const { host, project, event, recheck, options, env, deadlineMs } = call;
  const text = (word: unknown) => (typeof word === "string" ? word : Bun.inspect(word));
  return {
    ...{ host, project, event, recheck, options, env },
    session: call.payload.session_id,
    turn: call.payload.turn_id,
    get signal() {
      signal ??= AbortSignal.timeout(Math.max(0, from + deadlineMs - performance.now()));
      return signal;
    },
    log: (...said: unknown[]) => void rpc("log", said.map(text).join(" ")).catch(() => {}),
    fetch: async (url: unknown, init?: RequestInit) => responseOf(await rpc("fetch", await fetchArgs(url, init))),
    emit: (name: unknown, data?: unknown) => {
      const taken = rpc("emit", [name, data ?? null]);
      taken.catch(() => {}); // the journal has what was not taken: nobody has to wait for it
      return taken;
    },
    complete: (...args: unknown[]) => rpc("complete", args),
    storage: {
      get: async (key: unknown) => ((await rpc("storage", ["get", key])) as unknown[])[0], // our own host said it
      set: async (key: unknown, value: unknown) => void (await rpc("storage", ["set", key, value ?? null])),
      delete: (key: unknown) => rpc("storage", ["delete", key]),
      list: (prefix?: string) => rpc("storage", ["list", prefix ?? ""]),
    },
  };
}

/** A request in the words of the wire: what a body can be is Bun's business. */
async function fetchArgs(url: unknown, init: RequestInit = {}): Promise<unknown[]> {
  const { method, headers, body } = init;
  const bytes = body === undefined || body === null ? undefined : new Response(body);
  const type = bytes?.headers.get("content-type");
  const named = new Headers(headers);
  if (type && !named.has("content-type")) named.set("content-type", type);
  return [
    String(url),
    {
      ...(method === undefined ? {} : { method }),
      headers: named.toJSON(),
      ...(bytes === undefined ? {} : { base64: Buffer.from(await bytes.arrayBuffer()).toString("base64") }),
    },
  ];
}

function responseOf(said: unknown): Response {
  const { status, url, headers, base64 } = said as Fetched; // our own host said it
  const hasBody = ![204, 205, 304].includes(status);
  const response = new Response(hasBody ? Buffer.from(base64, "base64") : null, { status, headers });
  Object.defineProperty(response, "url", { value: url });
  return response;
}

type RpcName = Extract<WorkerFrame, { rpc: unknown }>["rpc"];

function ask(id: number, rpc: RpcName, args: unknown): Promise<unknown> {
  if (current !== id) return Promise.reject(new Error("the call is over"));
  const n = ++rpcs;
  return new Promise((resolve, reject) => {
    pending.set(n, { resolve, reject });
    say({ id, rpc, n, args });
  });
}

function settle(result: RpcResult): void {
  if (result.id !== current) return;
  const waiting = pending.get(result.n);
  pending.delete(result.n);
  if ("ok" in result) waiting?.resolve(result.ok);
  else waiting?.reject(Object.assign(new Error(result.error.message), { code: result.error.code }));
}

/** Throws when the value has no JSON or is too long, before anything of it is written. */
function say(frame: WorkerFrame): void {
  const line = new TextEncoder().encode(`${JSON.stringify(frame)}\n`);
  if (line.byteLength > MAX_FRAME_BYTES) throw new Error("the answer is too large");
  for (let at = 0; at < line.byteLength; ) at += writeSync(output, line, at);
}

function words(error: unknown): string {
  try {
    const text = error instanceof Error ? (error.stack ?? error.message) : Bun.inspect(error);
    return text.slice(0, 2000);
  } catch {
    return "an error that cannot be shown";
  }
}
