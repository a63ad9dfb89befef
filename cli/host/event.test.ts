import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adapterOf, glimpse } from "./event.ts";

test.each([
  ["opencode", "opencode/tool.execute.before.json"],
  ["cline", "cline/PreToolUse.json"],
  ["copilot-cli", "copilot-cli/camel.preToolUse.json"],
  ["cursor", "cursor/beforeShellExecution.json"],
])("%s's own name of a tool call is a tool call to what refuses without the engine", (host, capture) => {
  const input = readFileSync(join(import.meta.dir, "../../fixtures/captures", capture));
  expect(glimpse(adapterOf(host), input)).toMatchObject({ event: "PreToolUse", cwd: "/project" });
});
