import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canBecomeUser, readable, usersFolder } from "../as-user.ts";
import type { Finding } from "./unavailable.ts";

setDefaultTimeout(120_000);

// Only root can take something of the machine away for one process and leave everybody else's as it is.
if (!canBecomeUser) test("NOT TRIED: only root can take the sandbox's parts away from a process", () => {});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookpkg-parts-"));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words of bubblewrap that take a part away from what runs inside: a mount over a program, or a filter like a container's. */
const GONE: Readonly<Record<string, () => { words: string[]; filter?: Uint8Array }>> = {
  "bubblewrap is not the system's own": () => ({ words: ["--ro-bind", "/dev/null", "/usr/bin/bwrap"] }),
  "namespaces are refused, as in most containers": () => ({ words: [], filter: refusing("namespaces") }),
  "filters are refused": () => ({ words: [], filter: refusing("filters") }),
  "bubblewrap starts the program and reports nothing": () => ({ words: playing('exec /mnt/bwrap "$@" 4>/dev/null') }),
  "bubblewrap ends well and starts nothing": () => ({ words: playing("exit 0") }),
  "bubblewrap reports an end and starts nothing": () => ({ words: playing(`echo '{ "exit-code": 0 }' >&4; exit 0`) }),
};

const CODES: Readonly<Record<string, RegExp>> = {
  "bubblewrap is not the system's own": /^E_SANDBOX_NO_BWRAP$/,
  "namespaces are refused, as in most containers": /^E_SANDBOX_NO_USERNS$/,
  "filters are refused": /^E_SANDBOX_SECCOMP$/,
  "bubblewrap reports an end and starts nothing": /^E_SANDBOX_(LEAK|START)$/,
};
const MENDS: Readonly<Record<string, RegExp>> = {
  E_SANDBOX_NO_BWRAP: /apt-get install (--reinstall )?bubblewrap/,
  E_SANDBOX_NO_USERNS: /sysctl|userns|container/,
  E_SANDBOX_SECCOMP: /seccomp/,
  E_SANDBOX_START: /doctor|bubblewrap/,
  E_SANDBOX_LEAK: /do not run/,
};

if (canBecomeUser)
  describe.each(["as root", "as a user"])("%s", (user) => {
    test.each(Object.keys(GONE))("%s: unavailable, the closed guard holds, doctor names the way out", (name) => {
      const { exit, out, err } = inside(user, name, "test/abuse/unavailable.ts", []);
      if (exit !== 0) throw new Error(err);
      const { code, effect, outcome }: Finding = JSON.parse(out);
      expect(code).toMatch(CODES[name] ?? /^E_SANDBOX_START$/);
      expect({ effect, outcome }).toMatchObject({
        effect: { effect: "refused", cause: code },
        outcome: { outcome: "held", why: code },
      });
      const doctor = inside(user, name, "cli/main.ts", ["doctor", "--home", join(usersFolder(), "home")]);
      expect([1, 6]).toContain(doctor.exit);
      expect(doctor.out).toContain(`[${code}]`);
      expect(doctor.out).toMatch(MENDS[code ?? ""] ?? /never/);
    });

    test("with every part in place it is available, so that it was the part that counted", () => {
      const { out } = inside(user, undefined, "test/abuse/unavailable.ts", []);
      expect(JSON.parse(out)).toMatchObject({
        code: null,
        effect: { effect: "none" },
        outcome: { outcome: "answered" },
      });
    });
  });

function inside(user: string, name: string | undefined, program: string, args: readonly string[]) {
  const { words, filter } = (name === undefined ? undefined : GONE[name]?.()) ?? { words: [] };
  const { bun, tree } = readable();
  const other = ["setpriv", "--reuid=4242", "--regid=4242", "--clear-groups", "--"];
  const fds = filter === undefined ? [] : [openSync(written("filter", filter), "r")];
  const run = Bun.spawnSync(
    [
      ...["bwrap", "--dev-bind", "/", "/", "--cap-add", "ALL", ...words],
      ...(filter === undefined ? [] : ["--seccomp", "3"]),
      ...["--", ...(user === "as root" ? [] : other), bun, join(tree, program), ...args],
    ],
    {
      ...{ cwd: tree, env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: usersFolder() } },
      stdio: ["ignore", "pipe", "pipe", ...fds],
    },
  );
  return { exit: run.exitCode, out: run.stdout?.toString() ?? "", err: run.stderr?.toString() ?? "" };
}

/** A program that plays bubblewrap; the real one is at /mnt/bwrap. */
function playing(script: string): string[] {
  const path = written(
    "bwrap",
    Buffer.from(`#!/bin/sh\n[ "$1" = --version ] && exec /mnt/bwrap --version\n${script}\n`),
  );
  chmodSync(path, 0o755);
  return ["--tmpfs", "/mnt", "--ro-bind", "/usr/bin/bwrap", "/mnt/bwrap", "--ro-bind", path, "/usr/bin/bwrap"];
}

function written(name: string, bytes: Uint8Array): string {
  const path = join(folder, `${name}-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, bytes);
  return path;
}

/** Classic BPF: EPERM for unshare and for clone with a namespace, or EINVAL for setting a filter by prctl or seccomp. */
function refusing(what: "namespaces" | "filters"): Uint8Array {
  const [clone, unshare, prctl, seccomp] = process.arch === "arm64" ? [220, 97, 167, 277] : [56, 272, 157, 317];
  const [LOAD, EQUAL, ANY, RETURN] = [0x20, 0x15, 0x45, 0x06];
  const [ALLOW, NEWS] = [0x7fff0000, 0x7e020000];
  const errno = (number: number) => 0x00050000 | number;
  const program =
    what === "namespaces"
      ? [
          ...[
            [LOAD, 0, 0, 0],
            [EQUAL, 4, 0, unshare],
            [EQUAL, 0, 2, clone],
            [LOAD, 0, 0, 16],
            [ANY, 1, 0, NEWS],
          ],
          ...[
            [RETURN, 0, 0, ALLOW],
            [RETURN, 0, 0, errno(1)],
          ],
        ]
      : [
          ...[
            [LOAD, 0, 0, 0],
            [EQUAL, 4, 0, seccomp],
            [EQUAL, 0, 2, prctl],
            [LOAD, 0, 0, 16],
            [EQUAL, 1, 0, 22],
          ],
          ...[
            [RETURN, 0, 0, ALLOW],
            [RETURN, 0, 0, errno(22)],
          ],
        ];
  const view = new DataView(new ArrayBuffer(program.length * 8));
  program.forEach(([code = 0, jt = 0, jf = 0, k = 0], index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k >>> 0, true);
  });
  return new Uint8Array(view.buffer);
}
