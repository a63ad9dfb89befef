import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_CAPABILITIES } from "@hookpkg/spec";
import { hookpkg, hookpkgJson, temporaryFolder } from "./test-program.ts";
import { refusedIn, tracer } from "./trace.ts";

setDefaultTimeout(120_000);

const APP = "/home/dev/work/app";
type Data = { refused: readonly { target: string; error: string; right: string | null }[] };

/** A package of one handler with one case, traced in the real sandbox: what was refused → the right. */
async function traced(base: string, run: object, files: Record<string, string>, rights: object = {}) {
  const dir = join(base, "guard");
  const handler = { id: "g", ...run, failMode: "closed", may: ["cancel"] };
  const texts = {
    "hookpkg.json": JSON.stringify({ name: "@acme/guard", version: "1.0.0", description: "d", capabilities: rights }),
    "hooks/hooks.json": JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }),
    "test/cases/one.json": JSON.stringify({
      ...{ name: "one", event: "PreToolUse", want: { answer: "continue" } },
      input: { tool_name: "Bash", tool_input: { command: "ls" } },
    }),
    ...files,
  };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const { result } = await hookpkgJson(base, "test", "guard", "--trace");
  if (!result.ok) throw new Error(JSON.stringify(result));
  const { refused } = result.data as Data; // `test --trace --json`
  return Object.fromEntries(refused.map(({ target, error, right }) => [target, [error, right]]));
}

test("a module's refusals: paths, sockets, programs, and the rights that would give them", async () => {
  using base = temporaryFolder();
  const guard = `import { readFileSync, writeFileSync } from "node:fs";
    const tries = (f) => { try { f(); } catch {} };
    export default async (event) => {
      for (const path of ["/etc/hostname", "${APP}/package.json", "/nowhere/at/all"]) tries(() => readFileSync(path));
      for (const path of ["${APP}/build/x", "${APP}/.git/hooks/x", "/plugin/x"]) tries(() => writeFileSync(path, ""));
      await fetch("http://127.0.0.1:9/").catch(() => {});
    };`;
  const seen = await traced(base.path, { type: "module", module: "./guard.ts" }, { "guard.ts": guard });
  expect(seen).toMatchObject({
    "/etc/hostname": ["ENOENT", '"read": ["/etc/hostname"]'],
    [`${APP}/package.json`]: ["ENOENT", '"project": "read"'],
    [`${APP}/build/x`]: ["ENOENT", '"write": ["build/**"]'],
    [`${APP}/.git/hooks/x`]: ["ENOENT", null],
    "/plugin/x": ["EROFS", null],
    AF_INET: ["EAFNOSUPPORT", '"net": ["HOST:PORT"]'],
  });
  expect(Object.keys(seen).filter((target) => /nowhere|newroot|setpriv/.test(target))).toEqual([]);
});

test("a command's, with relative and odd paths; what it has a right to is no refusal", async () => {
  using base = temporaryFolder();
  const script = `cd /etc && cat machine-id hostname; : >/data/fine; ln -s x '/data/ä "b"'; unshare -U true; cat ${APP}/x; exit 0`;
  const run = { type: "command", argv: ["/bin/sh", "-c", script] };
  const seen = await traced(base.path, run, {}, { project: "read" });
  expect(seen).toMatchObject({ '/data/ä "b"': ["EPERM", null] });
  expect(seen[`${APP}/x`]?.[1]).not.toBe('"project": "read"');
  expect(Object.keys(seen)).not.toContain("/data/fine");
});

test("without a refusal it says so, and without the flag nothing is traced", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@acme/guard");
  expect((await hookpkg(base.path, "test", "guard", "--trace")).out).toContain("refused: nothing");
  expect((await hookpkg(base.path, "test", "guard")).out).not.toContain("refused");
});

test("a system without strace is told which program it needs", () => {
  expect(() => tracer("/tmp", "/nowhere/strace")).toThrow(expect.objectContaining({ code: "E_TRACE_NO_STRACE" }));
});

test("lines of strace: relative paths, second names, addresses, what no right gives", () => {
  using base = temporaryFolder();
  const hex = (text: string) =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  const lines = [
    `execve("${hex("/usr/bin/setpriv")}", ["x"], 0x1 /* 2 vars */) = 0`,
    `openat(AT_FDCWD<${hex("/")}>, "${hex("/etc/group")}", O_RDONLY) = -1 ENOENT (No such file or directory)`,
    `execve("${hex("/bin/sh")}", ["x"], 0x1 /* 2 vars */) = 0`,
    `openat(AT_FDCWD<${hex(APP)}>, "${hex("a b")}", O_RDONLY) = -1 ENOENT (No such file or directory)`,
    `unlinkat(AT_FDCWD<${hex(APP)}>, "${hex("out/x")}", 0) = -1 EROFS (Read-only file system)`,
    `connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("${hex("10.0.0.1")}")}, 16) = -1 ENETUNREACH (Network is unreachable)`,
    `keyctl(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, 0x1, 0x2, 0) = -1 EPERM (Operation not permitted)`,
    `newfstatat(3</x>, "", 0x1, AT_EMPTY_PATH) = 0`,
  ];
  writeFileSync(join(base.path, "trace.1"), `${lines.join("\n")}\n`);
  const places = { projects: [APP], home: "/home/dev", capabilities: NO_CAPABILITIES };
  expect(refusedIn(base.path, places).map(({ call, target, right }) => [call, target, right])).toEqual([
    ["openat", `${APP}/a b`, '"project": "read"'],
    ["unlinkat", `${APP}/out/x`, '"write": ["out/**"]'],
    ["connect", "10.0.0.1:443", '"net": ["HOST:PORT"]'],
    ["keyctl", "", null],
  ]);
});
