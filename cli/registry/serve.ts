import { resolve } from "node:path";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";

const MAX_PORT = 65_535;

/** Runs a registry until it is told to stop. Where it is found is said first, and once only. */
export async function run(call: Call): Promise<Done<CommandData["registry serve"]>> {
  const data = call.flags.text("data");
  if (data === undefined || data === "") throw refuse("E_USAGE", { expected: "--data DIR" });
  const port = portOf(call.flags.text("port"));
  const { serveRegistry } = await import("@hookpkg/registry");
  const host = call.flags.text("host");
  const outside = { report: (line: object) => call.terminal.note(JSON.stringify(line)) };
  const serving = await serveRegistry({ dataDir: resolve(call.cwd, data), port, outside, ...(host ? { host } : {}) });
  const { url, root } = serving;
  const stopped = untilTold();
  if (call.flags.on("json")) call.terminal.result(JSON.stringify({ ok: true, data: { url, root } }));
  else {
    call.terminal.result(`registry at ${url}`);
    call.terminal.result(`its root, to be told to those who use it: ${root}`);
  }
  await stopped;
  await serving.stop();
  return { data: { url, root }, lines: [], printed: true };
}

/** Resolves at the first SIGINT or SIGTERM; running requests are let end, for a while. */
function untilTold(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= MAX_PORT)) throw refuse("E_USAGE", { found: text.slice(0, 50), expected: `--port 0 to ${MAX_PORT}` });
  return port;
}
