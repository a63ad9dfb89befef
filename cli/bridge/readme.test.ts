import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declaredFaults } from "@hookpkg/fault";
import { approveAll, testProject } from "../trust/test-project.ts";
import "../faults.ts";

setDefaultTimeout(120_000);

const README = await Bun.file(join(import.meta.dir, "README.md")).text();

test("the Python example runs as it stands, and obeys a guard", async () => {
  const [, example] = README.match(/```python\n([\s\S]*?)```/) ?? [];
  if (example === undefined) throw new Error("no example");
  using base = await testProject();
  await approveAll(base.path);
  const bin = join(base.path, "bin");
  mkdirSync(bin);
  const words = [process.execPath, join(import.meta.dir, "../main.ts")].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "hookpkg"), `#!/bin/sh\nexec ${words} "$@" --home '${join(base.path, "home")}'\n`);
  chmodSync(join(bin, "hookpkg"), 0o755);
  writeFileSync(join(base.path, "example.py"), example);
  const ran = Bun.spawn(["/usr/bin/python3", "example.py", "ls", "rm -rf x"], {
    cwd: base.path,
    env: { PATH: `${bin}:/usr/bin:/bin` },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([ran.exited, ran.stdout.text(), ran.stderr.text()]);
  expect([code, out.split("\n")]).toEqual([
    0,
    ["ls -> runs", expect.stringMatching(/^rm -rf x -> refused: .*no rm -rf here/), ""],
  ]);
  expect(err).toContain("asked file:./guard#no-rm");
});

test("every code of the bridge that a client can get stands in the table", () => {
  const own = [...declaredFaults().keys()].filter((code) => code.startsWith("E_BRIDGE_"));
  expect(own.length).toBeGreaterThan(5);
  const isOnWire = (code: string) => code !== "E_BRIDGE_PATH";
  for (const code of own.filter(isOnWire)) expect(README).toContain(code);
});
