import { describe, expect, test } from "bun:test";
import { launch } from "./launch.ts";
import { OWN_ROOT, plan, WORKER_BINARY } from "./profile.ts";
import { noExecFilter, noUnixFilter, seccompFilter } from "./seccomp.ts";
import { type Arch, AUDIT_ARCH, CALLS, NEVER, UNCOUNTED } from "./syscalls.ts";
import { emptyProfile, realHost } from "./test-host.ts";

const ALLOWED = 0x7fff0000;
const KILLED = 0x80000000;
const refused = (errno: number) => 0x00050000 | errno;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [refused(1), refused(38), refused(97)];
const arches: Arch[] = ["x64", "arm64"];

describe.each(arches)("the filter's verdicts on %s", (arch) => {
  const bytes = seccompFilter({ arch, links: false });
  const judge = (name: string, ...args: number[]) => run(bytes, CALLS[arch][name] ?? -1, AUDIT_ARCH[arch], args);

  test("calls that are never needed are refused", () => {
    const there = NEVER.filter((name) => CALLS[arch][name] !== undefined);
    expect(there.length).toBeGreaterThan(50);
    expect(there.filter((name) => judge(name) !== EPERM)).toEqual([]);
  });

  test("another architecture and the x32 door kill, unknown calls do not exist, the rest is allowed", () => {
    expect(run(bytes, 0, AUDIT_ARCH[arch === "x64" ? "arm64" : "x64"], [])).toBe(KILLED);
    expect(run(bytes, 0x40000000, AUDIT_ARCH[arch], [])).toBe(arch === "x64" ? KILLED : ENOSYS);
    expect(run(bytes, 463, AUDIT_ARCH[arch], [])).toBe(ENOSYS);
    expect(run(bytes, 0, AUDIT_ARCH[arch], [])).toBe(ALLOWED);
    for (const name of ["clone3", "openat2", ...UNCOUNTED]) expect([name, judge(name)]).toEqual([name, ENOSYS]);
  });

  test("threads and processes yes, namespaces no", () => {
    expect(judge("clone", 0x003d0f00)).toBe(ALLOWED); // pthread_create
    expect(judge("clone", 0x01200011)).toBe(ALLOWED); // fork
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(judge("clone", flag | 17)).toBe(EPERM);
  });

  test("no sockets but a unix pair, no typing into terminals, no set-id files, no links", () => {
    for (const family of [1, 2, 10, 16, 17, 38, 40]) expect(judge("socket", family)).toBe(EAFNOSUPPORT);
    expect([judge("socketpair", 1, 1), judge("socketpair", 1, 0o2004001), judge("socketpair", 2, 1)]).toEqual([
      ...[ALLOWED, ALLOWED],
      EAFNOSUPPORT,
    ]);
    for (const type of [0, 2, 3, 5, 10, 0o2000002, 0o2004005]) expect(judge("socketpair", 1, type)).toBe(EAFNOSUPPORT);
    expect([0x5412, 0x541c, 0x5423, 0x5401].map((request) => judge("ioctl", 0, request))).toEqual([
      ...[EPERM, EPERM, EPERM],
      ALLOWED,
    ]);
    expect([judge("fchmodat", 0, 0, 0o4755), judge("fchmod", 0, 0o2755), judge("fchmod", 0, 0o755)]).toEqual([
      ...[EPERM, EPERM],
      ALLOWED,
    ]);
    expect(judge("openat", 0, 0, 0o100, 0o4755)).toBe(EPERM);
    expect(judge("openat", 0, 0, 0o20200002, 0o2755)).toBe(EPERM);
    expect([judge("openat", 0, 0, 0, 0o4755), judge("openat", 0, 0, 0o101, 0o644)]).toEqual([ALLOWED, ALLOWED]);
    expect([judge("linkat"), judge("symlinkat")]).toEqual([EPERM, EPERM]);
    const roomy = seccompFilter({ arch, links: true });
    expect(run(roomy, CALLS[arch].symlinkat ?? -1, AUDIT_ARCH[arch], [])).toBe(ALLOWED);
  });

  test("with a gateway three families, and none with a path for what the forwarder starts", () => {
    const online = seccompFilter({ arch, links: false, net: true });
    const verdicts = (filter: Uint8Array) => (family: number) =>
      run(filter, CALLS[arch].socket ?? -1, AUDIT_ARCH[arch], [family]);
    expect([1, 2, 10].map(verdicts(online))).toEqual([ALLOWED, ALLOWED, ALLOWED]);
    expect([0, 3, 9, 11, 16, 17, 38, 40].map(verdicts(online))).toEqual(Array(8).fill(EAFNOSUPPORT));
    expect([1, 2, 10, 16].map(verdicts(noUnixFilter(arch)))).toEqual([EAFNOSUPPORT, ALLOWED, ALLOWED, ALLOWED]);
    expect(run(noUnixFilter(arch), CALLS[arch].openat ?? -1, AUDIT_ARCH[arch], [])).toBe(ALLOWED);
    const others = NEVER.filter((name) => CALLS[arch][name] !== undefined);
    expect(others.filter((name) => run(online, CALLS[arch][name] ?? -1, AUDIT_ARCH[arch], []) !== EPERM)).toEqual([]);
  });

  test("a worker starts threads and nothing else", () => {
    const worker = noExecFilter(arch);
    const ask = (name: string, ...args: number[]) => run(worker, CALLS[arch][name] ?? 0, AUDIT_ARCH[arch], args);
    expect([ask("execve"), ask("execveat"), ask("clone", 17), ask("clone", 0x003d0f00)]).toEqual([
      ...[EPERM, EPERM, EPERM],
      ALLOWED,
    ]);
  });
});

test("the kernel agrees: every forbidden call of a real process comes back with the filter's error", async () => {
  const host = await realHost();
  const script = `
    import { CFunction, dlopen, ptr, read } from "bun:ffi";
    const asked = JSON.parse(await Bun.stdin.text());
    const { syscall, __errno_location } = dlopen("libc.so.6", {
      syscall: { args: ["i64", "i64", "i64", "i64", "i64"], returns: "i64" },
      __errno_location: { args: [], returns: "ptr" } }).symbols;
    const errno = __errno_location();
    console.log(JSON.stringify(asked.map(([name, number, ...args]) => {
      const [a = -1, b = -1, c = -1, d = -1] = args;
      return [name, Number(syscall(number, a, b, c, d)) === -1 ? read.i32(errno) : 0];
    })));`;
  const calls = CALLS[host.programs.arch];
  const plain = NEVER.filter((name) => calls[name] !== undefined).map((name) => [name, calls[name]]);
  const socket = [1, 2, 16, 40].map((family) => ["socket", calls.socket, family, 1, 0]);
  const pairs = [2, 3, 5].map((type) => ["socketpair", calls.socketpair, 1, type, 0]);
  const others = [
    ["clone3", calls.clone3],
    ["openat2", calls.openat2],
    ...UNCOUNTED.map((name) => [name, calls[name]]),
    ["ioctl", calls.ioctl, 0, 0x5412],
    ["fchmod", calls.fchmod, 1, 0o4755],
  ];
  const own = [{ path: "tries.js", executable: false, bytes: new TextEncoder().encode(script) }];
  const profile = { ...emptyProfile, kind: "worker", own, env: { BUN_BE_BUN: "1" } } as const;
  const made = plan(profile, [WORKER_BINARY, `${OWN_ROOT}/tries.js`], host.mode, host.programs);
  const end = await launch(made, Buffer.from(JSON.stringify([...plain, ...socket, ...pairs, ...others])), {
    ...{ deadlineMs: 30_000, keepBytes: 100_000, floodBytes: 200_000 },
  });
  if (end.how !== "exited") throw new Error(JSON.stringify(end));
  expect(Buffer.from(end.stderr).toString()).toBe("");
  expect(JSON.parse(Buffer.from(end.stdout).toString())).toEqual([
    ...plain.map(([name]) => [name, 1]),
    ...socket.map(() => ["socket", 97]),
    ...pairs.map(() => ["socketpair", 97]),
    ...[["clone3", 38], ["openat2", 38], ...UNCOUNTED.map((name) => [name, 38] as const), ["ioctl", 1], ["fchmod", 1]],
  ]);
});

/** The kernel's classic BPF, as far as these filters use it. */
function run(bytes: Uint8Array, call: number, arch: number, args: readonly number[]): number {
  const view = new DataView(bytes.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call, true);
  data.setUint32(4, arch, true);
  args.forEach((value, index) => {
    data.setUint32(16 + 8 * index, value, true);
  });
  let held = 0;
  for (let at = 0; at * 8 < bytes.byteLength; at++) {
    const [code, jt, jf] = [view.getUint16(at * 8, true), view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const k = view.getUint32(at * 8 + 4, true);
    if (code === 0x20) held = data.getUint32(k, true);
    else if (code === 0x15) at += held === k ? jt : jf;
    else if (code === 0x35) at += held >= k ? jt : jf;
    else if (code === 0x54) held &= k;
    else if (code === 0x45) at += (held & k) !== 0 ? jt : jf;
    else if (code === 0x06) return k;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("fell off the end");
}
