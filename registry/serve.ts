import { MAX_BLOB_BYTES } from "@hookpkg/protocol";
import type { Sha256 } from "@hookpkg/spec";
import { refuse } from "./faults.ts";
import { createApp } from "./http/app.ts";
import { refusal } from "./http/errors.ts";
import { openParts, sweep } from "./open.ts";
import { type Outside, QUIET } from "./outside.ts";

export type ServeOptions = {
  /** Made if missing; everything the registry keeps is in it. */
  readonly dataDir: string;
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** 0 (default) = any free port. */
  readonly port?: number;
  readonly outside?: Partial<Outside>;
};

/** `root`: digest of `GET /v1/root`, to be told to those who will use it. `stop` lets running requests end, for a while. */
export type Serving = { readonly url: string; readonly root: Sha256; stop(): Promise<void> };

const MAX_STOP_MS = 5_000;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const MAX_IDLE_SECONDS = 30;

/** Starts a registry on a data folder. Throws E_SERVE_… when the folder can't be served, leaving it as it was. */
export async function serveRegistry({
  dataDir,
  host = "127.0.0.1",
  port = 0,
  outside,
}: ServeOptions): Promise<Serving> {
  const world: Outside = { ...QUIET, ...outside };
  const parts = await openParts(dataDir, world);
  const server = await listen(createApp(parts), { host, port, world }).catch(async (cause) => {
    await parts.close();
    throw refuse("E_SERVE_LISTEN", { host, port }, cause);
  });
  const sweeper = setInterval(() => {
    sweep(parts).catch((error) => world.report({ level: "error", event: "sweep", error: String(error) }));
  }, SWEEP_EVERY_MS);
  sweeper.unref();
  const stop = async () => {
    clearInterval(sweeper);
    // A client that never ends its request doesn't keep the server: what is not answered by then is cut off.
    const cut = setTimeout(() => void server.stop(true), MAX_STOP_MS);
    await server.stop();
    clearTimeout(cut);
    await parts.close();
  };
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${server.port}`, root: parts.key.root, stop: once(stop) };
}

type Where = { readonly host: string; readonly port: number; readonly world: Outside };

async function listen(fetch: (request: Request) => Promise<Response>, { host, port, world }: Where) {
  return Bun.serve({
    hostname: host,
    port,
    fetch,
    development: false,
    // `development: false` alone would let a second server share the port in silence.
    reusePort: false,
    idleTimeout: MAX_IDLE_SECONDS,
    // Above what a route takes, so that the route itself answers 413, with a body.
    maxRequestBodySize: 2 * MAX_BLOB_BYTES,
    error: (cause) => refusal(cause, world),
  });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= run();
    return running;
  };
}
