import { afterAll, beforeAll, expect, test } from "bun:test";
import { attachGuard, MORE } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { openStage } from "./stage.ts";

/** A handler that never lets the agent stop is overruled after so many times in a row. */
const MAX_KEPT_IN_A_ROW = 8;
const NEVER = `import { cancel, defineHook } from "@hookpkg/sdk";
export default defineHook(() => cancel(${JSON.stringify(MORE)}));
`;
/** Whether hookpkg ends it; one host has an end of its own, one block sooner. */
const HOSTS: readonly (readonly [HostName, string, boolean])[] = [
  ["codex", "codex", true],
  ["claude-code", "claude-code", true],
  ["gemini", "gemini-cli", true],
  ["qwen", "qwen-code", false],
];

let built: ReturnType<typeof buildProgram>;
beforeAll(async () => {
  built = buildProgram();
  for (const [name] of HOSTS) await installHost(name);
}, INSTALL_TIMEOUT_MS);
afterAll(() => built[Symbol.dispose]());

test.each(HOSTS)(
  "%s: an agent that is never to stop goes on for a while, and stops",
  async (name, host, isForced) => {
    using stage = openStage();
    const never = { id: "never", type: "module", module: "./never.ts", may: ["cancel"] };
    const attached = await attachGuard(stage, host, built.program, {
      files: { "never.ts": NEVER },
      hooks: { Stop: [{ hooks: [never] }] },
    });
    const ran = await attached.drive(name, []);
    await attached.hookpkg("daemon", "stop");
    expect([ran.exit, ran.requests.length]).toEqual([0, MAX_KEPT_IN_A_ROW + (isForced ? 1 : 0)]);
    expect(ran.requests.at(-1)?.told).toContain(MORE);
    expect((await attached.hookpkg("log", "--json")).stdout.includes("forced")).toBe(isForced);
  },
  2 * TEST_TIMEOUT_MS,
);
