import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../test-folder.ts";
import { launch } from "./launch.ts";
import { plan } from "./profile.ts";
import type { SandboxHost } from "./self-test.ts";
import { emptyProfile, realHost, sh } from "./test-host.ts";

let host: SandboxHost;
beforeAll(async () => {
  host = await realHost();
});

describe("how it ends", () => {
  test("an exit code comes through with both streams", async () => {
    const end = await sh(host, "cat; echo bad >/dev/stderr; exit 7");
    expect(end).toMatchObject({ how: "exited", code: 7, stdout: "input", stderr: "bad\n", stdoutCut: false });
  });
  test("so does a signal", async () => {
    expect(await sh(host, "kill -SEGV $$")).toMatchObject({ how: "signalled", signal: 11 });
  });
  test("one that never ends is late, children and all", async () => {
    const end = await sh(host, "echo begun; trap '' TERM; sleep 1000 & sleep 1000", {}, { deadlineMs: 300 });
    expect(end).toMatchObject({ how: "late", stdout: "begun\n" });
  });
  test("more than is kept is drained and marked", async () => {
    const end = await sh(
      host,
      "head -c 300000 /dev/zero | tr '\\0' x; head -c 5 /dev/zero >&2",
      {},
      { keepBytes: 1000 },
    );
    expect(end).toMatchObject({ how: "exited", code: 0, stdoutCut: true, stderrCut: false, stdout: "x".repeat(1000) });
  });
  test.each(["1", "2"])("a flood on stream %s is stopped", async (stream) => {
    expect(await sh(host, `head -c 1000000000 /dev/zero >&${stream}`)).toMatchObject({ how: "flooded" });
  });
  test("closed streams and an unread megabyte of stdin trouble nobody", async () => {
    const made = plan(emptyProfile, ["/bin/sh", "-c", "exec >&- 2>&- <&-; exit 4"], host.mode, host.programs);
    const bounds = { deadlineMs: 30_000, keepBytes: 10, floodBytes: 10 };
    expect(await launch(made, new Uint8Array(5_000_000), bounds)).toMatchObject({ how: "exited", code: 4 });
  });
  test("a background child holding stdout does not hold us", async () => {
    expect(await sh(host, "sleep 1000 & echo done")).toMatchObject({ how: "exited", code: 0, stdout: "done\n" });
  });
  test("no descriptor of ours is left, whatever the end, many at a time", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    await sh(host, "exit 0");
    const before = open();
    const scripts = ["exit 1", "sleep 1000", "kill -9 $$", "head -c 2000000 /dev/zero", "exec >&- 2>&-"];
    await Promise.all([...scripts, ...scripts, ...scripts].map((script) => sh(host, script, {}, { deadlineMs: 500 })));
    await sh(host, "exit 0", { read: ["/nowhere/at/all"] });
    // Bun keeps a few of its own for a while; one for each run would be more than these.
    expect(open() - before).toBeLessThan(scripts.length);
  });
  test("a mount that can't be made is no verdict, though bubblewrap exits 1", async () => {
    const end = await sh(host, "exit 0", { read: ["/nowhere/at/all"] });
    expect(end).toMatchObject({ how: "unavailable", fault: { code: "E_SANDBOX_START" } });
  });
  test("neither is a bubblewrap that is not there", async () => {
    const made = plan(emptyProfile, ["/bin/true"], host.mode, { ...host.programs, bwrap: "/nowhere/bwrap" });
    const end = await launch(made, new Uint8Array(), { deadlineMs: 1000, keepBytes: 1, floodBytes: 1 });
    expect(end).toMatchObject({ how: "unavailable", fault: { code: "E_SANDBOX_START" } });
  });
});

describe("what is seen", () => {
  test("nothing of the host but the system: no home, no passwd, no processes, no network", async () => {
    const end = await sh(
      host,
      "ls /home /root /work /etc/passwd /etc/machine-id; echo /proc/[0-9]*; grep -c : /proc/net/dev",
    );
    expect(end.stderr.match(/No such file/g)?.length).toBe(5);
    const [processes = "", devices] = end.stdout.trim().split("\n");
    expect(processes.split(" ").length).toBeLessThan(6);
    expect(devices).toBe("1"); // the loopback of an empty network
  });
  test("hundreds of package files, as they were given, not to be changed", async () => {
    const files = Array.from({ length: 1500 }, (_, index) => ({
      ...{ path: `d${index % 7}/f${index}`, executable: false, bytes: new TextEncoder().encode(`file ${index}`) },
    }));
    const end = await sh(
      host,
      "find /plugin -type f | wc -l; cat /plugin/d3/f3 /plugin/d1/f1499; echo x >/plugin/d3/f3; rm -f /plugin/d3/f3",
      { files },
    );
    expect(end.stdout).toBe("1500\nfile 3file 1499");
    expect(end.stderr.match(/Read-only file system/g)?.length).toBe(2);
  });
  test("exactly the environment that was given", async () => {
    const end = await sh(host, "env -0 | sort -z", { env: { PATH: "/usr/bin", A: "$(id) 'x'\n\"y\"" } });
    expect(end.stdout).toBe("A=$(id) 'x'\n\"y\"\0PATH=/usr/bin\0PWD=/plugin\0");
  });
  test("a readable folder below a closed one, its masks, and no writing", async () => {
    const root = join(testFolder(), "closed", "my $(project)");
    mkdirSync(join(root, ".hookpkg"), { recursive: true });
    for (const name of ["a.txt", ".env", "config", ".hookpkg/lock.json"]) writeFileSync(join(root, name), `${name}\n`);
    chmodSync(join(root, ".."), 0o700);
    const end = await sh(
      host,
      "cat a.txt config; cat .env; ls .hookpkg; echo x >new; echo x >.hookpkg/new; echo x >.env",
      {
        ...{ read: [root], cwd: root },
        masks: [
          { path: join(root, ".env"), shows: "no-file" },
          { path: join(root, ".hookpkg"), shows: "empty-folder" },
          { path: join(root, "config"), shows: new TextEncoder().encode("clean\n") },
        ],
      },
    );
    expect(end.stdout).toBe("a.txt\nclean\n");
    expect(end.stderr).not.toContain("lock");
    expect(end.stderr.trim().split("\n").length).toBe(4);
  });
});

describe("what is limited", () => {
  test("processes, memory, file size, scratch space", async () => {
    const bomb = "i=0; while [ $i -lt 600 ]; do sleep 100 & i=$((i+1)); done";
    const allowance = { memoryMiB: 512, processes: 68, tmpFiles: 100 };
    const bombed = await sh(host, bomb, {}, { allowance });
    // As root the kernel's count is everybody's, and so a wide one: there it is we who count.
    if (host.mode.kind === "root") expect(bombed).toMatchObject({ how: "excess", why: "E_RUN_PROCESSES" });
    else expect(bombed.stderr).toMatch(/fork|Resource temporarily/i);
    const eats = "head -c 400000000 /dev/zero | tail -c 400000000 | wc -c";
    expect((await sh(host, eats, { limits: { memoryMiB: 64, cpuSeconds: 10 } })).stdout).not.toContain("400000000");
    expect((await sh(host, "head -c 9000000 /dev/zero >/tmp/one; wc -c </tmp/one")).stdout.trim()).toBe(
      `${8 * 1024 * 1024}`,
    );
    const many = "i=0; while [ $i -lt 500 ]; do : >/tmp/f$i; i=$((i+1)); done; sleep 5";
    expect(await sh(host, many, {}, { allowance })).toMatchObject({ how: "excess", why: "E_RUN_TMP" });
    const together = "for i in 1 2 3 4; do head -c 30000000 /dev/zero | tail -c 30000000 | sleep 3 & done; wait";
    expect(await sh(host, together, {}, { allowance: { ...allowance, memoryMiB: 40 } })).toMatchObject({
      ...{ how: "excess", why: "E_RUN_MEMORY" },
    });
    const fill = "for i in 1 2 3 4; do head -c 8000000 /dev/zero >/tmp/$i; done; du -s /tmp | cut -f1";
    expect(Number((await sh(host, fill)).stdout)).toBeLessThanOrEqual(16 * 1024);
  });
});
