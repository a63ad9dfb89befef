import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REASON } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { driveHost, hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { approveGuard, must } from "./house.ts";
import { type Machine, openMachine } from "./machine.ts";
import { inTurn } from "./mock-model.ts";
import { openStage, type Stage } from "./stage.ts";

/** The entry of a project's own settings, which a team shares: it looks for hookpkg where only root or the person can have put it. */
const SHARED: readonly { name: HostName; host: string; settings: string }[] = [
  { name: "claude-code", host: "claude-code", settings: ".claude/settings.json" },
  { name: "codex", host: "codex", settings: ".codex/hooks.json" },
  { name: "gemini", host: "gemini-cli", settings: ".gemini/settings.json" },
  { name: "qwen", host: "qwen-code", settings: ".qwen/settings.json" },
];
const GUARD = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) =>
  String(tool_input?.command).includes("forbidden") ? cancel(${JSON.stringify(REASON)}) : next());
`;
const HOOK = { id: "no-forbidden", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };

let built: ReturnType<typeof buildProgram>;
beforeAll(() => {
  built = buildProgram();
}, INSTALL_TIMEOUT_MS);
afterAll(() => built[Symbol.dispose]());

describe.each(SHARED.map((shared) => [`${shared.host} ${hosts[shared.name].pin.version}`, shared] as const))(
  "%s with a project's entry",
  (_, { name, host, settings }) => {
    let stage: Stage;
    let machine: Machine;

    beforeAll(async () => {
      await installHost(name);
      stage = openStage();
      machine = openMachine(stage, built.program);
      await approveGuard(stage, machine.hookpkg, {
        files: { "guard.ts": GUARD },
        hooks: { PreToolUse: [{ matcher: "Bash", hooks: [HOOK] }] },
      });
      await must(machine.hookpkg("attach", host, "--shared"));
    }, INSTALL_TIMEOUT_MS);
    afterAll(() => stage[Symbol.dispose]());

    const drive = async () => {
      const script = inTurn({ shell: "touch forbidden" }, { shell: "touch harmless" });
      const ran = await driveHost(name, { ...stage, script, ...machine.seen });
      return { ...ran, said: ran.requests.at(-1)?.results ?? [] };
    };

    test("names no place of this machine", () => {
      const text = readFileSync(join(stage.project, settings), "utf8");
      expect(text).toContain("/usr/local/bin/hookpkg");
      for (const own of [stage.home, stage.project, built.program]) expect(text).not.toContain(own);
    });

    test.each(["the machine's", "the person's"] as const)(
      "obeys the guard when hookpkg is in %s folder of programs",
      async (whose) => {
        const place = machine.install(whose);
        const ran = await drive();
        rmSync(place);
        expect(ran).toMatchObject({ exit: 0, executed: ["harmless"] });
        expect(ran.said[0]).toContain(REASON);
        expect(existsSync(machine.ran)).toBe(false);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "refuses every call and lets the rest pass when hookpkg is only on the PATH",
      async () => {
        const ran = await drive();
        expect(ran).toMatchObject({ exit: 0, executed: [] });
        expect(ran.said).toHaveLength(2);
        for (const said of ran.said) expect(said).toContain("is not installed here, so this is refused");
        expect(existsSync(machine.ran)).toBe(false);
      },
      TEST_TIMEOUT_MS,
    );
  },
);
