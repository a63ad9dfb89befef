import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, isFault } from "@hookpkg/fault";
import { z } from "zod";
import { refuse } from "../faults.ts";
import { readRegular } from "../person/regular-file.ts";
import { launch, type SandboxEnd } from "./launch.ts";
import type { Programs } from "./plan.ts";
import probe from "./probe.js" with { type: "text" };
import { type Mode, OWN_ROOT, type Profile, plan, WORKER_BINARY } from "./profile.ts";
import { type FindOptions, findPrograms } from "./programs.ts";
import { CALLS } from "./syscalls.ts";

/** A machine whose sandbox was tried and held. */
export type SandboxHost = { programs: Programs; mode: Mode };
export type Availability = { available: true; host: SandboxHost } | { available: false; fault: Fault };

export type SelfTestOptions = FindOptions & {
  /** Remembers what held: a file of the person's cache. */
  cache: string;
  uid: number;
};

/** A user that no distribution hands out (65520 to 65533 are unassigned), below 65536 for containers with a small map. */
const STEP_DOWN_UID = 65_529;

/**
 * Tries the real profiles with canaries, once per boot, mount namespace, bubblewrap build and binary. Any miss makes the
 * sandbox unavailable; only what held is remembered.
 */
export async function checkSandbox(options: SelfTestOptions): Promise<Availability> {
  try {
    const programs = findPrograms(options);
    const mode: Mode = options.uid === 0 ? { kind: "root", uid: STEP_DOWN_UID } : { kind: "user" };
    const host = { programs, mode };
    const key = conditions(host, options.uid);
    held.set(host, key);
    if (remembered(options.cache) === key) return { available: true, host };
    const fault = (await tryWorker(host, options.cache)) ?? (await tryCommand(host));
    if (fault !== undefined) return { available: false, fault };
    remember(options.cache, key);
    return { available: true, host };
  } catch (cause) {
    return { available: false, fault: isFault(cause) ? cause : refuse("E_SANDBOX_START", {}, cause) };
  }
}

const held = new WeakMap<SandboxHost, string>();

/** Whether nothing changed since this host was tried: a few looks at the disk. */
export function stillHolds(host: SandboxHost): boolean {
  try {
    return held.get(host) === conditions(host, process.getuid?.() ?? -1);
  } catch {
    return false; // a program is gone
  }
}

const BOUNDS = { deadlineMs: 10_000, keepBytes: 65_536, floodBytes: 1_048_576 };

const bare: Omit<Profile, "kind"> = {
  ...{ files: [], own: [], read: [], links: [], masks: [], write: [], env: { PATH: "/usr/bin:/bin" }, cwd: "/plugin" },
  limits: { memoryMiB: 512, cpuSeconds: 10 },
};

const found = z.strictObject({
  filter: z.record(z.string(), z.boolean()),
  walls: z.record(z.string(), z.boolean()),
});

async function tryWorker({ programs, mode }: SandboxHost, cache: string): Promise<Fault | undefined> {
  const own = [{ path: "probe.js", executable: false, bytes: new TextEncoder().encode(probe) }];
  const profile: Profile = { ...bare, kind: "worker", own, env: { BUN_BE_BUN: "1" } };
  const command = [WORKER_BINARY, "--no-env-file", "--config=/dev/null", "--no-install", `${OWN_ROOT}/probe.js`];
  const canary = join(dirname(cache), `canary-${process.pid}`);
  mkdirSync(dirname(cache), { recursive: true, mode: 0o700 });
  writeFileSync(canary, "seen", { mode: 0o644 });
  const asked = { hidden: [canary, "/etc/passwd", "/usr/bin/env"], keyctl: CALLS[programs.arch].keyctl };
  const end = await launch(plan(profile, command, mode, programs), Buffer.from(JSON.stringify(asked)), BOUNDS);
  rmSync(canary);
  return judge(end);
}

/** What the probe's end says: undefined when everything held. */
export function judge(end: SandboxEnd): Fault | undefined {
  if (end.how !== "exited" || end.code !== 0) return notStarted(end);
  try {
    const { filter, walls } = found.parse(JSON.parse(new TextDecoder().decode(end.stdout)));
    const open = (tried: Record<string, boolean>) => Object.keys(tried).filter((name) => tried[name] !== true);
    if (open(filter).length > 0) return refuse("E_SANDBOX_SECCOMP", { missed: open(filter) });
    if (open(walls).length > 0) return refuse("E_SANDBOX_LEAK", { missed: open(walls) });
    return undefined;
  } catch (cause) {
    return refuse("E_SANDBOX_LEAK", { missed: ["report"] }, cause);
  }
}

const WANTED_EXIT = 23;

/** A command's profile has its own mounts and launchers: its exit code must come through and /etc/passwd must not. */
async function tryCommand({ programs, mode }: SandboxHost): Promise<Fault | undefined> {
  const script = `[ ! -e /etc/passwd ] && [ "$(id -u)" != 0 ] && ! (: >/plugin/new) 2>/dev/null && : >/tmp/new && exit ${WANTED_EXIT}`;
  const made = plan({ ...bare, kind: "command" }, ["/bin/sh", "-c", script], mode, programs);
  const end = await launch(made, new Uint8Array(), BOUNDS);
  if (end.how !== "exited") return notStarted(end);
  return end.code === WANTED_EXIT
    ? undefined
    : refuse("E_SANDBOX_LEAK", { missed: ["commandProfile"], code: end.code });
}

function notStarted(end: SandboxEnd): Fault {
  const said =
    end.how === "unavailable"
      ? String(end.fault.facts.said ?? "")
      : new TextDecoder().decode(end.stderr.subarray(0, 500));
  const facts = { how: end.how, said, ...(end.how === "exited" ? { code: end.code } : {}) };
  if (/seccomp/i.test(said)) return refuse("E_SANDBOX_SECCOMP", facts);
  if (/namespace|uid map|setting up .* map|clone/i.test(said)) return refuse("E_SANDBOX_NO_USERNS", facts);
  return refuse("E_SANDBOX_START", facts);
}

/** Everything whose change could change the result. */
function conditions({ programs, mode }: SandboxHost, uid: number): string {
  const builds = [programs.bwrap, programs.setpriv.binary, programs.prlimit, programs.worker.binary].map((path) => {
    const { dev, ino, size, mtimeMs } = statSync(path);
    return [path, dev, ino, size, mtimeMs];
  });
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  const spaces = ["mnt", "user"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
  return JSON.stringify({ v: 1, boot, spaces, builds, mode, uid });
}

const MAX_REMEMBERED_BYTES = 65_536;

function remembered(cache: string): string | undefined {
  try {
    return new TextDecoder().decode(readRegular(cache, MAX_REMEMBERED_BYTES));
  } catch {
    return undefined; // never tried, or unreadable: tried again
  }
}

function remember(cache: string, key: string): void {
  const whole = `${cache}.${process.pid}`;
  writeFileSync(whole, key, { mode: 0o600, flush: true });
  renameSync(whole, cache);
}
