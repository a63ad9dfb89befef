import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AttachedStage, attachGuard, REASON } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import { openStage, type Stage } from "./stage.ts";

/** Claude Code's own question before a call, which hooks may answer: of the hosts that are driven headless it alone asks them. */
let stage: Stage;
let attached: AttachedStage;
let built: ReturnType<typeof buildProgram>;

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

beforeAll(async () => {
  await installHost("claude-code");
  built = buildProgram();
  stage = openStage();
  attached = await attachGuard(stage, "claude-code", built.program, {
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
  "a guard refuses for the person, with its reason, or agrees for them where it may; what it leaves alone is asked as ever",
  async () => {
    const steps = ["touch forbidden", "touch welcome", "touch other", "touch crash"].map((shell) => ({ shell }));
    const ran = await attached.drive("claude-code", steps, "do the task", { asks: true });
    expect(ran).toMatchObject({ exit: 0, executed: ["welcome"] });
    const [forbidden, , other, crash] = ran.said;
    expect(forbidden).toContain(REASON);
    expect(other).toContain("needs approval");
    expect(crash).toContain("could not judge");
    expect(ran.said).toHaveLength(4);
  },
  TEST_TIMEOUT_MS,
);
