import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealKey } from "@hookpkg/signing";
import { readApprovals } from "../person/approvals.ts";
import { guardsOf, readClosed } from "../person/closed.ts";
import { consent, type Person, person, propose, states, sweepScratch } from "../test-project.ts";

afterEach(sweepScratch);

const ROUNDS = 12;

test("kill -9 at any step of an approval leaves the old set or the new one, and at least its guards", async () => {
  const who = await person();
  await propose(who, { "@acme/one": {}, "@acme/two": {} });
  for (let round = 0; round < ROUNDS; round++) {
    await killAfter(who, "ready", Math.random() * 40);
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

test("kill -9 at any step of the very first approval leaves a state in which one can approve", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const who = await person();
    await propose(who, { "@acme/one": {} });
    await killAfter(who, "begin", Math.random() * 25);
    expect((await readApprovals(who.home)).read).not.toBe("unreadable");
    await consent(who);
    expect(await states(who)).toEqual({ "@acme/one#guard": "trusted" });
  }
}, 60_000);

async function killAfter(who: Person, word: string, ms: number): Promise<void> {
  const keyFile = join(who.home.base, "key.json");
  writeFileSync(keyFile, await sealKey(who.key, null));
  const words = [process.execPath, join(import.meta.dir, "../test-approver.ts"), who.home.base, who.root, keyFile];
  const child = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  let said = "";
  while (!said.includes(word)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the approver ended after: ${said}`);
    said += new TextDecoder().decode(value);
  }
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}
