import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bounds, launch } from "./launch.ts";
import { type Profile, plan } from "./profile.ts";
import { checkSandbox, type SandboxHost } from "./self-test.ts";

/** For tests: the real sandbox of this machine, as whoever runs the tests. A machine without one fails them, loudly. */
export async function realHost(): Promise<SandboxHost> {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-test-")); // also outside the test runner
  const asked = { worker: process.execPath, cache: join(folder, "self-test"), uid: process.getuid?.() ?? -1 };
  const tried = await checkSandbox(asked).finally(() => rmSync(folder, { recursive: true, force: true }));
  if (!tried.available) throw new Error(`no sandbox: ${tried.fault.code} ${JSON.stringify(tried.fault.facts)}`);
  return tried.host;
}

export const emptyProfile: Profile = {
  kind: "command",
  ...{
    files: [],
    own: [],
    read: [],
    links: [],
    masks: [],
    write: [],
    env: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
    cwd: "/plugin",
  },
  limits: { memoryMiB: 512, cpuSeconds: 10 },
};

const BOUNDS: Bounds = { deadlineMs: 30_000, keepBytes: 100_000, floodBytes: 1_000_000 };

/** Runs a shell script inside and gives its end with readable streams. */
export async function sh(
  host: SandboxHost,
  script: string,
  profile: Partial<Profile> = {},
  bounds: Partial<Bounds> = {},
) {
  const made = plan({ ...emptyProfile, ...profile }, ["/bin/sh", "-c", script], host.mode, host.programs);
  const end = await launch(made, Buffer.from("input"), { ...BOUNDS, ...bounds });
  if (end.how === "unavailable") return { ...end, stdout: "", stderr: "" };
  return { ...end, stdout: Buffer.from(end.stdout).toString(), stderr: Buffer.from(end.stderr).toString() };
}
