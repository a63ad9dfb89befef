import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";
import { approveAll, must, writeGuard } from "../trust/test-project.ts";

setDefaultTimeout(90_000);

type Check = { name: string; ok: boolean; found: string; mend?: string };
async function readings(base: string): Promise<Check[]> {
  const { result } = await hookpkgJson(base, "doctor");
  return (result as { data: { checks: Check[] } }).data.checks.filter(({ name }) => name.startsWith("reading"));
}

/** A project with a guard that may read it and a folder beside it. */
async function granted(): Promise<ReturnType<typeof temporaryFolder>> {
  const base = temporaryFolder();
  chmodSync(base.path, 0o755);
  const project = join(base.path, "p");
  for (const folder of ["p", "given"]) mkdirSync(join(base.path, folder), { mode: 0o700 });
  writeFileSync(join(base.path, "given/words"), "none");
  writeGuard(project, { manifest: { capabilities: { project: "read", read: [join(base.path, "given")] } } });
  await must(hookpkg(project, "install", "./guard"), 3);
  await approveAll(project);
  return { ...base, path: project, [Symbol.dispose]: () => base[Symbol.dispose]() };
}

test("what a handler was granted and cannot open, and the command that mends it; where it runs as the person, nothing", async () => {
  using base = await granted();
  const [project, given] = [base.path, join(base.path, "../given")];
  const found = await readings(project);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return expect(found).toEqual([]);
  expect(found.map(({ ok, mend }) => [ok, mend])).toEqual([
    [false, `chmod o+rx ${project}`],
    [false, `chmod o+rx ${given}`],
  ]);
  expect(found[0]?.found).toContain("mode 700: handlers run as uid 65529");
  for (const { mend = "" } of found) Bun.spawnSync(["/bin/sh", "-c", mend]);
  expect(await readings(project)).toEqual([
    { name: `reading in ${project}`, ok: true, found: "uid 65529 can read what handlers were granted" },
  ]);
});

test("where no handler was granted anything, a closed project does no harm", async () => {
  using base = temporaryFolder();
  writeGuard(base.path, {});
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  expect(await readings(base.path)).toEqual([]);
});
