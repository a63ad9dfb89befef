import { expect, test } from "bun:test";
import { hookpkg, temporaryFolder } from "../author/test-program.ts";

test("what attach --print shows can be pasted: one line for each line of the file", async () => {
  using base = temporaryFolder();
  const { out } = await hookpkg(base.path, "attach", "claude-code", "--print", "--host-home", base.path);
  const [head = "", ...lines] = out.split("\n");
  expect(head).toBe(`# ${base.path}/.claude/settings.json`);
  expect(Object.keys(JSON.parse(lines.join("\n")).hooks)).toContain("PreToolUse");
}, 60_000);
