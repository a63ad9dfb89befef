import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealKey } from "@hookpkg/signing";
import { readApprovals } from "../person/approvals.ts";
import { guardsOf, readClosed } from "../person/closed.ts";
import { consent, person, propose, states, sweepScratch } from "../test-project.ts";

afterEach(sweepScratch);

const ROUNDS = 15;

test("kill -9 at any step of an approval leaves the old set or the new one, and at least its guards", async () => {
  const who = await person();
  await propose(who, { "@acme/one": {}, "@acme/two": {} });
  const keyFile = join(who.home.base, "key.json");
  writeFileSync(keyFile, await sealKey(who.key, null));
  for (let round = 0; round < ROUNDS; round++) {
    const words = [process.execPath, join(import.meta.dir, "../test-approver.ts"), who.home.base, who.root, keyFile];
    const child = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
    await child.stdout.getReader().read();
    await Bun.sleep(Math.random() * 40);
    child.kill("SIGKILL");
    await child.exited;
    const read = await readApprovals(who.home);
    if (read.read !== "signed") throw new Error(JSON.stringify(read));
    const approvals = read.projects[who.project.id];
    expect([0, 2]).toContain(Object.keys(approvals?.entries ?? {}).length);
    const closed = (readClosed(who.home, who.project.id) ?? []).map(({ handler }) => handler);
    for (const guard of guardsOf(approvals)) {
      expect(closed).toContain(guard.handler);
      expect(existsSync(join(who.home.state, "closed", "any"))).toBe(true);
    }
  }
  await consent(who); // the dead owner's lock holds nobody up
  expect(await states(who)).toEqual({ "@acme/one#guard": "trusted", "@acme/two#guard": "trusted" });
}, 60_000);
