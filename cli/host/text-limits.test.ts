import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, openEngine, REAL_OUTSIDE } from "@hookpkg/runtime";
import { hookpkg } from "../author/test-program.ts";
import { approveAll, eventText, must, testProject, writeGuard } from "../trust/test-project.ts";
import { adapterOf } from "./event.ts";
import { judgeEvent } from "./judge.ts";

setDefaultTimeout(60_000);

test("no host is told more of one text than it puts before its model", async () => {
  using base = await testProject();
  const code = `export default (event) => {
  const text = "漢".repeat(9900);
  return event.tool_input.command === "stop" ? { answer: "cancel", reason: text } : { answer: "context", context: text };
};\n`;
  writeGuard(base.path, { code, handler: { may: ["cancel", "context"] } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  const outside = { ...REAL_OUTSIDE, temporary: join(base.path, "tmp") };
  mkdirSync(outside.temporary);
  const engine = openEngine({ home: homeFolders(join(base.path, "home")), env: {}, worker: process.execPath, outside });
  const said = async (host: string, command: string) => {
    const from = { env: {}, pid: process.pid, spentMs: 0, project: base.path };
    const afterwards = { after: () => {}, stays: true };
    const input = new TextEncoder().encode(eventText(base.path, command, { tool_use_id: command }));
    const { stdout } = await judgeEvent(adapterOf(host), input, { from, afterwards }, engine);
    return longest(JSON.parse(stdout));
  };
  for (const command of ["go on", "stop"]) {
    const claude = await said("claude-code", command);
    expect(claude.length).toBeLessThanOrEqual(10_000);
    expect(claude.length).toBeGreaterThan(9000);
    const codex = await said("codex", command);
    expect(Buffer.byteLength(codex)).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(codex)).toBeGreaterThan(9000);
    expect((await said("native", command)).match(/漢/g)).toHaveLength(9900);
  }
});

/** The longest text in an answer. */
function longest(answer: unknown): string {
  if (typeof answer === "string") return answer;
  const parts = typeof answer === "object" && answer !== null ? Object.values(answer).map(longest) : [];
  return parts.reduce((one, other) => (other.length > one.length ? other : one), "");
}
