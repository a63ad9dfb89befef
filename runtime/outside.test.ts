import { expect, test } from "bun:test";
import { ancestorsOf, hostProcess, isEntry, parentOf, REAL_OUTSIDE } from "./outside.ts";

test("a process is known by number and start time; a number alone is nobody", () => {
  const start = REAL_OUTSIDE.processStart(process.pid);
  expect(start).toMatch(/^\d+$/);
  expect(REAL_OUTSIDE.processStart(process.pid)).toBe(start);
  expect(REAL_OUTSIDE.processStart(2 ** 22 + 7)).toBeUndefined();
  expect(parentOf(process.pid)).toBe(process.ppid);
  expect(ancestorsOf(process.pid).every((mark) => mark.pid > 1)).toBe(true);
});

test("our own entry is not the host that started it", () => {
  for (const entry of [
    ["/bin/sh", "-c", "env -u BUN_OPTIONS /usr/bin/hookpkg run claude-code"],
    ["bash", "-lc", "exec hookpkg run codex"],
    ["env", "-u", "BUN_BE_BUN", "hookpkg", "run", "codex"],
    ["/usr/local/bin/hookpkg", "--home", "/x", "run", "native"],
  ])
    expect(isEntry(entry)).toBe(true);
  for (const other of [
    ["-zsh"],
    ["bash"],
    ["/usr/bin/claude", "--add-dir", "/work/hookpkg"],
    ["node", "run"],
    ["hookpkg", "approve"],
    ["bash", "-c", "tmux"],
  ])
    expect(isEntry(other)).toBe(false);
});

test("behind the entry's shell stands the host", async () => {
  const code = `import { hostProcess } from "${import.meta.dir}/outside.ts"; console.log(hostProcess(process.pid)?.pid)`;
  const shell = Bun.spawn(["/bin/sh", "-c", 'run=1; "$0" -e "$1"; true # hookpkg run x', process.execPath, code], {
    stdout: "pipe",
  });
  expect((await new Response(shell.stdout).text()).trim()).toBe(`${process.pid}`);
  expect(hostProcess(process.pid)?.pid).not.toBe(process.pid);
});
