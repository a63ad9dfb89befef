import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { homeFolders, journalEntries, projectAt } from "@hookpkg/runtime";
import { hookpkg, temporaryFolder } from "../author/test-program.ts";
import { approveAll, eventText, must, withStdin, writeGuard } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

/** What it was granted must be there, though who has it is gone by then. */
const SLOW = `export default async (_, { env }) => {
  await Bun.sleep(200);
  if (env.MY_VALUE !== "granted") throw new Error("it has no value");
};\n`;

/** Outcomes in the journal of this project, oldest first. */
function outcomes(base: string): string[] {
  const home = homeFolders(join(base, "home"));
  const id = projectAt(home, base)?.id ?? "";
  return [...journalEntries(home, id)].flatMap((entry) => ("line" in entry ? [entry.line.outcome] : []));
}

test("an observer runs after the reply, in one process and through the daemon; what it says changes nothing", async () => {
  using base = temporaryFolder();
  writeGuard(base.path, {
    code: SLOW,
    handler: { async: true, failMode: "open", may: [] },
    manifest: { capabilities: { env: ["MY_VALUE"] } },
  });
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  try {
    for (let n = 1; n <= 4; n++) {
      const call = eventText(base.path, "rm -rf x", { tool_use_id: `t-${n}` });
      const said = await withStdin(base.path, ["run", "claude-code"], { stdin: call, env: { MY_VALUE: "granted" } });
      expect([said.code, JSON.parse(said.out || "{}").hookSpecificOutput]).toEqual([0, undefined]);
      for (let waited = 0; outcomes(base.path).length < 2 * n && waited < 100; waited++) await Bun.sleep(50);
      expect(outcomes(base.path).slice(-2)).toEqual(["not-run", "answered"]);
    }
  } finally {
    await hookpkg(base.path, "daemon", "stop");
  }
});
