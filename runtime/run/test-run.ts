import { join } from "node:path";
import {
  type Capabilities,
  type Handler,
  NO_CAPABILITIES,
  type Outcome,
  type Payload,
  type Run,
  sha256,
} from "@hookpkg/spec";
import type { NetOutside } from "../net/outside.ts";
import { realHost } from "../sandbox/test-host.ts";
import { testFolder } from "../test-folder.ts";
import { runHandler } from "./run-handler.ts";
import type { HandlerCall, RunDeps } from "./runnable.ts";
import type { Workers } from "./workers.ts";

/** For tests: a fresh folder of this test's user. */
export const folder = testFolder;

export const event: Payload = {
  hook_event_name: "PreToolUse",
  ...{ session_id: "s-1", transcript_path: null, cwd: "/", tool_name: "Bash", tool_input: { command: "rm -rf /" } },
};

export type Trial = {
  files?: Readonly<Record<string, string>>;
  capabilities?: Partial<Capabilities>;
  handler?: Partial<Handler>;
  call?: Partial<HandlerCall>;
  hidden?: readonly string[];
  workers?: Workers;
  net?: NetOutside;
  deps?: Pick<RunDeps, "emit" | "model" | "trigger" | "signal" | "offline">;
  /** The package's name, for kept workers. */
  source?: string;
};

/** Runs one handler in this machine's real sandbox. Names ending in .sh are executable. */
export async function trial(
  run: Run,
  { files = {}, capabilities, handler, call, hidden = [], workers, net, deps, source = "@a/b" }: Trial = {},
): Promise<Outcome> {
  const runnable = {
    handler: { ...guard, run, ...handler },
    capabilities: { ...NO_CAPABILITIES, ...capabilities },
    files: Object.entries(files).map(([path, text]) => ({
      path,
      executable: path.endsWith(".sh"),
      bytes: Buffer.from(text),
    })),
    kept: { source, closure: sha256(JSON.stringify(files)) },
  };
  const made: HandlerCall = {
    ...{
      payload: event,
      options: {},
      env: {},
      host: "native",
      home: "/nonexistent",
      dataFolder: join(folder(), "data"),
    },
    ...{ recheck: false, ...call },
  };
  return await runHandler(runnable, made, {
    ...{ sandbox: { available: true, host: await host }, hidden },
    ...(workers === undefined ? {} : { workers }),
    ...(net === undefined ? {} : { net }),
    ...deps,
  });
}

export const module = (text: string, more: Trial = {}) =>
  trial(
    { type: "module", path: "guard.ts", export: "default", isolate: "worker" },
    { ...more, files: { "guard.ts": text, ...more.files } },
  );
export const shell = (script: string, more: Trial = {}) => trial({ type: "command", shell: script }, more);

/** What a shell handler printed, read back from the reason of its exit 2. */
export async function printed(script: string, more: Trial = {}): Promise<string> {
  const outcome = await shell(`{ ${script}\n} >&2; exit 2`, more);
  return outcome.outcome === "answered" && outcome.answer.answer === "cancel"
    ? outcome.answer.reason
    : JSON.stringify(outcome);
}

const host = realHost();

const guard: Omit<Handler, "run"> = {
  ...{ id: "guard", event: "PreToolUse", matcher: null, if: [], may: ["cancel", "ask", "patch", "context"] },
  ...{ timeoutMs: 20_000, failMode: "closed", once: false, async: false, answers: "lenient" },
  ...{ outputLimit: 10_000, before: [], after: [] },
};
