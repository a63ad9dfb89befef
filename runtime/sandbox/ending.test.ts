import { expect, test } from "bun:test";
import { closeSync, readdirSync, readFileSync } from "node:fs";
import { plan } from "./profile.ts";
import { start } from "./start.ts";
import { emptyProfile, realHost } from "./test-host.ts";

const ROUNDS = 100;
const START_UP_MS = 12;

test(`killed at ${ROUNDS} random moments of the start, nothing survives`, async () => {
  const host = await realHost();
  const marker = `98765.${process.pid}`;
  const made = plan(emptyProfile, ["/bin/sh", "-c", `sleep ${marker} & sleep ${marker}`], host.mode, host.programs);
  for (let round = 0; round < ROUNDS; round++) {
    const sandbox = start(made, new Uint8Array());
    await Bun.sleep(Math.random() * START_UP_MS);
    sandbox.kill();
    await sandbox.ended;
    closeSync(sandbox.out);
    closeSync(sandbox.err);
  }
  expect(await survivors(marker)).toEqual([]);
});

test("what a program leaves behind dies with it: background, double fork, closed streams, ignored signals", async () => {
  const host = await realHost();
  const marker = `87654.${process.pid}`;
  const script = `trap '' TERM HUP INT; (setsid sleep ${marker} >/dev/null 2>&1 </dev/null &) ; sleep ${marker} & exit 0`;
  const sandbox = start(plan(emptyProfile, ["/bin/sh", "-c", script], host.mode, host.programs), new Uint8Array());
  expect(await sandbox.ended).toEqual({ how: "exited", code: 0 });
  closeSync(sandbox.out);
  closeSync(sandbox.err);
  expect(await survivors(marker)).toEqual([]);
});

test("killed itself, hookpkg takes its sandboxes along", async () => {
  await realHost();
  const marker = `76543.${process.pid}`;
  const program = `
    import { plan } from "./profile.ts";
    import { start } from "./start.ts";
    import { emptyProfile, realHost } from "./test-host.ts";
    const host = await realHost();
    for (let n = 0; n < 3; n++) start(plan(emptyProfile, ["/bin/sh", "-c", "setsid sleep " + process.env.MARKER + " & sleep " + process.env.MARKER], host.mode, host.programs), new Uint8Array());
    console.log("started");
    await Bun.sleep(1e6);`;
  const ours = Bun.spawn([process.execPath, "-e", program], {
    ...{ cwd: import.meta.dir, stdout: "pipe" },
    env: { ...process.env, MARKER: marker },
  });
  await ours.stdout.getReader().read();
  // bubblewrap promises this for sandboxes that have started, and for no others.
  while (alive(`sleep\0${marker}`).length < 6) await Bun.sleep(10);
  ours.kill("SIGKILL");
  await ours.exited;
  expect(await survivors(marker)).toEqual([]);
});

/** A killed process is seen for a moment more; what is still there after many looks is a survivor. */
async function survivors(marker: string): Promise<string[]> {
  for (let look = 0; look < 100; look++) {
    const left = alive(marker);
    if (left.length === 0) return [];
    await Bun.sleep(20);
  }
  return alive(marker);
}

function alive(marker: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || name === `${process.pid}`) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(marker);
    } catch {
      return false; // gone while we looked
    }
  });
}
