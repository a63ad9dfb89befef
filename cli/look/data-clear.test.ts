import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal } from "../author/test-program.ts";
import { approveAll, eventText, must, testProject, withStdin } from "../trust/test-project.ts";

setDefaultTimeout(60_000);

test("recordings go when they are named, and nothing goes that was not", async () => {
  using base = await testProject();
  await approveAll(base.path);
  await must(withStdin(base.path, ["run", "claude-code", "--quiet"], { stdin: eventText(base.path, "ls") }));
  const state = join(base.path, "home/state");
  const [project = ""] = readdirSync(join(state, "recordings"));
  expect(readdirSync(join(state, "recordings", project))).toHaveLength(1);
  expect(await refusal(base.path, "data", "clear")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "data", "clear", "../..")).toEqual([64, "E_USAGE"]);
  expect(readdirSync(join(state, "recordings", project))).toHaveLength(1);
  expect((await must(hookpkg(base.path, "data", "clear", "--recordings"))).out).toContain(
    "recorded tool calls are gone",
  );
  expect(existsSync(join(state, "recordings", project))).toBe(false);
  expect(readdirSync(join(state, "journal", project))).toContain("journal.jsonl");
  expect((await must(hookpkg(base.path, "data", "clear", "--recordings"))).out).toBe(
    "no tool call was recorded here\n",
  );
});

test("a package's data here", async () => {
  using base = await testProject();
  const state = join(base.path, "home/state");
  await approveAll(base.path);
  const [id = ""] = readdirSync(join(state, "closed")).flatMap(
    (name) => /^(p?[0-9a-z-]+)\.json$/.exec(name)?.[1] ?? [],
  );
  const kept = join(base.path, "home/data/data", id, "@acme/guard");
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "file"), "kept");
  const { out } = await must(hookpkg(base.path, "data", "clear", "@acme/guard", "@acme/nope"));
  expect(out).toBe("what @acme/guard kept in this project is gone\n@acme/nope kept nothing in this project\n");
  expect(existsSync(kept)).toBe(false);
  const again = await hookpkgJson(base.path, "data", "clear", "@acme/guard");
  expect(again.result).toEqual({ ok: true, data: { recordings: false, texts: 0, packages: [] } });
});
