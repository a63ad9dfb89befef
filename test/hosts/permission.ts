import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AttachedStage, attachGuard, REASON } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { openStage, type Stage } from "./stage.ts";

type Known = {
  name: HostName;
  host: string;
  /** What it says to the model of a call that nobody agreed to. */
  unanswered: string;
};

const GUARD = `import { allow, cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) => {
  const command = String(tool_input?.command);
  if (command.includes("forbidden")) return cancel(${JSON.stringify(REASON)});
  if (command.includes("crash")) process.exit(1);
  return command.includes("welcome") ? allow("it is") : next();
});
`;
const TOO_KIND = `import { allow, defineHook } from "@hookpkg/sdk";
export default defineHook(() => allow("whatever it is"));
`;
const guard = { id: "guard", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel", "allow"] };
const tooKind = { id: "too-kind", type: "module", module: "./too-kind.ts", may: ["cancel"] };

/** The host's own question before a call, which hooks may answer; some hosts put it headless, too, where nobody else does. */
export function provePermission({ name, host, unanswered }: Known): void {
  describe(`${host} ${hosts[name].pin.version} asks`, () => {
    let built: ReturnType<typeof buildProgram>;
    let stage: Stage;
    let attached: AttachedStage;

    beforeAll(async () => {
      await installHost(name);
      built = buildProgram();
      stage = openStage();
      attached = await attachGuard(stage, host, built.program, {
        files: { "guard.ts": GUARD, "too-kind.ts": TOO_KIND },
        hooks: { PermissionRequest: [{ matcher: "Bash", hooks: [guard, tooKind] }] },
      });
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await attached.hookpkg("daemon", "stop");
      stage[Symbol.dispose]();
      built[Symbol.dispose]();
    });

    test(
      "a guard refuses with its reason, or agrees where it may; what it leaves alone is asked as ever",
      async () => {
        const steps = ["touch forbidden", "touch welcome", "touch other", "touch crash"].map((shell) => ({ shell }));
        const ran = await attached.drive(name, steps, "do the task", { asks: true, isTrusting: false });
        expect(ran).toMatchObject({ exit: 0, executed: ["welcome"] });
        const [forbidden, , other, crash] = ran.said;
        expect(forbidden).toContain(REASON);
        expect(other).toContain(unanswered);
        expect(crash).toContain("could not judge");
        expect(ran.said).toHaveLength(4);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "without a hook, the same",
      async () => {
        using alone = openStage();
        const { hookpkg, drive } = await attachGuard(alone, host, built.program, {
          files: { "next.ts": `import { next } from "@hookpkg/sdk";\nexport default () => next();\n` },
          hooks: { Stop: [{ hooks: [{ id: "next", type: "module", module: "./next.ts" }] }] },
        });
        const steps = [{ shell: "touch welcome" }];
        const ran = await drive(name, steps, "do the task", { asks: true, isTrusting: false });
        await hookpkg("daemon", "stop");
        expect(ran).toMatchObject({ exit: 0, executed: [], said: [expect.stringContaining(unanswered)] });
      },
      2 * TEST_TIMEOUT_MS,
    );
  });
}
