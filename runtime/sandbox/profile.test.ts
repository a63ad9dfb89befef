import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Programs } from "./plan.ts";
import { type Mode, type Profile, plan } from "./profile.ts";

const programs: Programs = {
  arch: "x64",
  bwrap: "/usr/bin/bwrap",
  setpriv: { binary: "/usr/bin/setpriv", libraries: ["/lib/x/libc.so.6", "/lib/x/libcap-ng.so.0", "/lib64/ld.so.2"] },
  prlimit: "/usr/bin/prlimit",
  worker: { binary: "/usr/local/bin/hookpkg", libraries: ["/lib/x/libc.so.6", "/lib/x/libm.so.6", "/lib64/ld.so.2"] },
  system: [{ path: "/usr" }, { path: "/bin", link: "usr/bin" }, { path: "/etc/alternatives" }],
};
const modes: Mode[] = [{ kind: "user" }, { kind: "root", uid: 65529 }];
const bytes = (text: string) => new TextEncoder().encode(text);

const worker: Profile = {
  kind: "worker",
  files: [{ path: "guard.ts", executable: false, bytes: bytes("export default 1") }],
  own: [{ path: "bootstrap.js", executable: false, bytes: bytes("0") }],
  ...{ read: [], links: [], masks: [], write: [], env: { BUN_BE_BUN: "1" }, cwd: "/plugin" },
  limits: { memoryMiB: 512, cpuSeconds: 10 },
};

const command: Profile = {
  kind: "command",
  files: [
    { path: "bin/check.sh", executable: true, bytes: bytes("#!/bin/sh\n") },
    { path: "words.txt", executable: false, bytes: bytes("rm") },
  ],
  own: [],
  read: ["/home/u/my project", "/home/u/.config/foo"],
  links: [{ path: "/u", to: "/home/u/my project" }],
  masks: [
    { path: "/home/u/my project/.env", shows: "no-file" },
    { path: "/home/u/my project/.hookpkg", shows: "empty-folder" },
    { path: "/home/u/my project/.git/config", shows: bytes("[core]\n") },
  ],
  write: [
    {
      path: "/home/u/my project/build",
      keep: ["/home/u/my project/build/.git"],
      deny: ["/home/u/my project/build/.claude"],
    },
  ],
  data: "/home/u/.local/share/hookpkg/data/p/s/n",
  env: { PATH: "/usr/bin:/bin", TOKEN: "s3cret" },
  cwd: "/home/u/my project",
  limits: { memoryMiB: 256, cpuSeconds: 11 },
};

const bare: Profile = { ...command, files: [], read: [], links: [], masks: [], write: [] };

describe.each(modes)("as %j", (mode) => {
  test.each([
    ["worker", worker, ["/opt/hookpkg/hookpkg", "/opt/hookpkg/bootstrap.js"]],
    ["command", command, ["/plugin/bin/check.sh"]],
    ["command-online", { ...bare, gateway: "/tmp/hookpkg-net-x/proxy.sock" }, ["/plugin/bin/check.sh"]],
  ] as const)("%s profile", (name, profile, argv) => {
    const made = plan(profile, argv, mode, programs);
    const readable = {
      ...made,
      words: lines(made.words),
      files: made.files.map((file) => new TextDecoder("latin1").decode(file).slice(0, 60)),
    };
    compare(`${name}-${mode.kind}.txt`, `${JSON.stringify(readable, null, 2)}\n`);
  });

  test("nothing of the environment is in what everyone can read", () => {
    const made = plan(command, ["/plugin/bin/check.sh"], mode, programs);
    expect([made.program, ...made.argv].join(" ")).not.toContain("s3cret");
  });
});

test("a zero byte in a value cannot begin another argument", () => {
  const torn = { ...command, env: { OPTION: "x\0--bind\0/\0/host" } };
  expect(() => plan(torn, ["/bin/true"], { kind: "user" }, programs)).toThrow(
    expect.objectContaining({ code: "E_SANDBOX_WORD" }),
  );
});

/** One option a line. */
function lines(words: readonly string[]): string[] {
  return words
    .join("\n")
    .split(/\n(?=--)/)
    .map((line) => line.replaceAll("\n", " "));
}

/** `HOOKPKG_WRITE_GOLDEN=1` writes them anew; the difference is then read in review. */
function compare(name: string, found: string): void {
  const path = join(import.meta.dir, "golden", name);
  if (process.env.HOOKPKG_WRITE_GOLDEN === "1") writeFileSync(path, found);
  expect(found).toBe(readFileSync(path, "utf8"));
}
