import { afterEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolders } from "../home.ts";
import { consent, person, propose, sweepScratch, temporary } from "../test-project.ts";
import { decideWithoutRuntime } from "./without-runtime.ts";

afterEach(sweepScratch);

async function guarded(matcher: string) {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: [{ matcher }] } });
  await consent(who);
  const closed = join(who.home.state, "closed", `${who.project.id}.json`);
  const asked = (event: string, ...subjects: string[]) =>
    decideWithoutRuntime(who.home, [who.project.id], event, subjects).refuse;
  return { who, closed, asked };
}

test("refuses what a closed handler guards, and only that", async () => {
  const { asked } = await guarded("Bash");
  expect([asked("PreToolUse", "Bash"), asked("PreToolUse", "Read"), asked("PostToolUse", "Bash")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("absent or unreadable for a registered project: closed for tool calls", async () => {
  const { asked, closed } = await guarded("Bash");
  for (const harm of [() => writeFileSync(closed, "garbage"), () => rmSync(closed)]) {
    harm();
    expect([asked("PreToolUse", "Read"), asked("PermissionRequest"), asked("PostToolUse")]).toEqual([
      true,
      true,
      false,
    ]);
  }
});

test("an event that is not known is any tool call, subjects that are not known are what its guards mind", async () => {
  const { who } = await guarded("Bash");
  const asked = (event: string | undefined, subjects: string[] | undefined) =>
    decideWithoutRuntime(who.home, [who.project.id], event, subjects).refuse;
  expect([asked(undefined, undefined), asked(undefined, ["Read"]), asked("PreToolUse", undefined)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([asked("PostToolUse", undefined), asked("PreToolUse", [])]).toEqual([false, false]);
});

test("where the project is not known, any guarded tool call of this person is refused", async () => {
  const { who } = await guarded("Bash");
  expect(decideWithoutRuntime(who.home, undefined, "PreToolUse", ["Read"])).toMatchObject({ refuse: true });
  expect(decideWithoutRuntime(who.home, undefined, "SessionEnd", [])).toEqual({ refuse: false });
});

test("nothing registered, nothing approved: nothing is refused", () => {
  const home = homeFolders(temporary());
  expect(decideWithoutRuntime(home, [], "PreToolUse", ["Bash"])).toEqual({ refuse: false });
  expect(decideWithoutRuntime(home, undefined, "PreToolUse", ["Bash"])).toEqual({ refuse: false });
});

test("a host is attached or something was approved, and every closed file is gone: closed for tool calls", async () => {
  const who = await person();
  rmSync(join(who.home.state, "closed"), { recursive: true });
  const refused = ({ home } = who) => decideWithoutRuntime(home, undefined, "PreToolUse", ["Read"]).refuse;
  expect(refused()).toBe(false);
  writeFileSync(join(who.home.state, "attached.json"), "{}");
  expect(refused()).toBe(true);
  const approved = (await guarded("Bash")).who;
  rmSync(join(approved.home.state, "closed"), { recursive: true });
  expect(refused(approved)).toBe(true);
});

test("the reason names the guards and no way out", async () => {
  const { who } = await guarded("Bash");
  const plain = decideWithoutRuntime(who.home, [who.project.id], "PreToolUse", ["Bash"]);
  expect(plain.refuse && plain.why).toBe("@acme/no-rm#guard: this guard could not be asked, so the action is refused");
});
