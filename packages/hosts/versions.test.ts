import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AttachableHost,
  eventsAt,
  HOST_SETTINGS,
  type HostSettings,
  hostNamed,
  hostVersion,
  personalText,
  settingsAt,
  versionNotes,
} from "./index.ts";

function settingsOf(host: string): HostSettings {
  const found = HOST_SETTINGS.find((one) => one.host === host);
  if (!found) throw new Error(host);
  return found;
}
const events = (host: AttachableHost, version: string | undefined) =>
  eventsAt(
    host,
    version,
    settingsOf(host).entries.map(({ event }) => event),
  );
const weak = (host: AttachableHost, version: string | undefined) => versionNotes(host, version).weak.join("\n");

describe("a host's version", () => {
  test.each([
    ["2.1.332 (Claude Code)", "2.1.332"],
    ["claude-code_2-1-332_harness", "2.1.332"],
    ["codex-cli 0.171.0", "0.171.0"],
    ["2.4", "2.4.0"],
    ["v1.0.102-beta.1", "1.0.102"],
    ["2025.09.18-7ae6800", undefined],
    ["", undefined],
    ["unknown", undefined],
    ["7", undefined],
    [`${"9".repeat(40)}.1.1`, undefined],
  ])("%p", (text, version) => expect(hostVersion(text)).toBe(version as string));

  test("is what an event says, or the variables beside it", () => {
    const capture = (file: string) =>
      JSON.parse(readFileSync(join(import.meta.dir, "../../fixtures/captures", `${file}.json`), "utf8"));
    const said = (host: string, file: string, env = {}) => {
      const adapter = hostNamed(host);
      const text = adapter?.version?.(adapter.read(capture(file)), env);
      return typeof text === "string" ? hostVersion(text) : undefined;
    };
    expect(said("claude-code", "claude/PreToolUse", { AI_AGENT: "claude-code_2-1-332_harness" })).toBe("2.1.332");
    expect(said("qwen-code", "qwen/PreToolUse", { QWEN_CODE_STARTUP_VERSION: "0.24.4" })).toBe("0.24.4");
    expect(said("cursor", "cursor/preToolUse")).toBe("2.4.0");
    expect(said("cline", "cline/PreToolUse")).toBeUndefined();
    expect(said("claude-code", "claude/PreToolUse")).toBeUndefined();
    expect(said("codex", "codex/PreToolUse")).toBeUndefined();
  });
});

describe("events that a version has not", () => {
  test.each([
    ["claude-code", "1.0.40", "1.0.41", "SubagentStop"],
    ["claude-code", "1.0.47", "1.0.48", "PreCompact"],
    ["claude-code", "1.0.53", "1.0.54", "UserPromptSubmit"],
    ["claude-code", "1.0.61", "1.0.62", "SessionStart"],
    ["claude-code", "1.0.84", "1.0.85", "SessionEnd"],
    ["claude-code", "2.0.42", "2.0.43", "SubagentStart"],
    ["claude-code", "2.0.44", "2.0.45", "PermissionRequest"],
    ["qwen-code", "0.15.10", "0.15.11", "SessionStart"],
    ["qwen-code", "0.15.10", "0.24.4", "PostToolUseFailure"],
    ["qwen-code", "0.15.10", "0.24.4", "SubagentStart"],
    ["qwen-code", "0.15.10", "0.24.4", "SubagentStop"],
    ["cursor", "2.0.77", "2.4.0", "preToolUse"],
    ["cursor", "2.0.77", "2.4.0", "sessionStart"],
  ] as const)("%s %s has no, %s has %4$s", (host, without, having, event) => {
    expect(events(host, without)).not.toContain(event);
    expect(weak(host, without)).toContain("update to");
    expect(events(host, having)).toContain(event);
    expect(events(host, undefined)).toContain(event);
  });

  test("what all versions have stays", () => {
    expect(events("claude-code", "1.0.0")).toContain("PreToolUse");
    expect(events("qwen-code", "0.15.10")).toContain("PreToolUse");
    expect(events("cursor", "1.7.0")).toEqual(["beforeSubmitPrompt", "stop"]);
  });
});

describe("what entries are at a version", () => {
  const first = (version: string | undefined) => settingsAt(settingsOf("claude-code"), version).entries[0];

  test("Claude Code's carry onFailure where it is known, or nobody knows", () => {
    expect(first("2.1.294")?.fields).toBeUndefined();
    for (const version of ["2.1.295", "2.1.332", undefined])
      expect(first(version)?.fields).toEqual({ onFailure: "block" });
    expect(weak("claude-code", "2.1.294")).toContain("lets a call pass");
    expect(weak("claude-code", "2.1.295")).toBe("");
  });

  test("Peri's are Claude Code's, of its version", () => {
    expect(settingsAt(settingsOf("peri"), "2.1.294").entries).toEqual(
      settingsAt(settingsOf("claude-code"), "2.1.294").entries,
    );
  });

  /** What Copilot's entry does where hookpkg is not there and a guard is closed. */
  async function refused(version: string | undefined, event: string) {
    const settings = settingsAt(settingsOf("copilot-cli"), version);
    const entry = settings.entries.find((one) => one.event === event);
    if (!entry) throw new Error(event);
    // Every `state` has a file of this name in it, as a person's has while a guard is closed.
    const text = personalText(settings, entry, { program: ["/nonexistent/hookpkg"], state: "/proc/self" });
    const child = Bun.spawn(["/bin/bash", "-c", text.replaceAll("/proc/self/closed/any", "/proc/self")], {
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [exit, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { exit, stdout, stderr };
  }

  test.each(["1.0.56", "1.0.50", undefined])(
    "Copilot %p: an exit of 2 may let the call pass, so the answer refuses",
    async (version) => {
      for (const event of ["PreToolUse", "PermissionRequest"]) {
        const { exit, stdout } = await refused(version, event);
        expect([event, exit]).toEqual([event, 0]);
        expect(JSON.parse(stdout)).toMatchObject({
          ...{ permissionDecision: "deny", behavior: "deny" },
          hookSpecificOutput: { hookEventName: event, permissionDecision: "deny", decision: { behavior: "deny" } },
        });
      }
    },
  );

  test.each(["1.0.57", "1.0.70", "1.0.102"])("Copilot %s refuses for the exit code", async (version) => {
    const { exit, stdout, stderr } = await refused(version, "PreToolUse");
    expect([exit, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("is refused");
  });

  test("Copilot before 1.0.57 lets calls pass, and the person is told of 1.0.70", () => {
    expect(weak("copilot-cli", "1.0.50")).toMatch(/^copilot-cli 1\.0\.50 lets a call pass after .*1\.0\.70$/);
    expect(weak("copilot-cli", "1.0.57") + weak("copilot-cli", undefined)).toBe("");
  });

  test("Qwen Code from 0.26.8 on wants an approval of its own for a project's hooks", () => {
    expect(versionNotes("qwen-code", "0.26.8").trust.join()).toContain("approval");
    for (const version of ["0.24.4", undefined]) expect(versionNotes("qwen-code", version).trust).toEqual([]);
  });
});
