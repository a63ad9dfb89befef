import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { registerProject } from "../person/projects.ts";
import { bash, consent, type Person, person, propose, send, sweepScratch, temporary, write } from "../test-project.ts";

afterEach(sweepScratch);

/** A person in two projects that lie apart; the first has nothing, the second a guard. */
async function apart(): Promise<{ first: string; who: Person }> {
  const who = await person();
  await propose(who, { "@acme/a": {} });
  await consent(who);
  const first = join(temporary(), "first");
  write(first, "file", "");
  await registerProject(who.home, first);
  return { first, who };
}

const event = (session_id: string, cwd: string) => ({ payload: bash(cwd, "ls", { session_id }), host: "native" });
const BESIDE = /^hookpkg: not asked: the hooks of .*project, as this session began in another project$/;

test("a session stays where it began; that another project's hooks are not asked is told once", async () => {
  const { first, who } = await apart();
  const begun = await send(who, event("s1", first));
  expect([begun.ran, begun.decision.person]).toEqual([[], []]);
  const moved = await send(who, event("s1", who.root));
  expect([moved.ran, moved.decision.person]).toEqual([[], [expect.stringMatching(BESIDE)]]);
  expect(moved.decision.person[0]?.length).toBeLessThanOrEqual(100);
  expect((await send(who, event("s1", who.root))).decision.person).toEqual([]);
});

test("nothing is left out where the project was named, or where the session is of both", async () => {
  const { first, who } = await apart();
  await send(who, event("s1", first));
  for (const named of [{ flag: first }, { hostFolder: first }])
    expect((await send(who, { ...event("s1", who.root), ...named })).decision.person).toEqual([]);
  const asked = await send(who, { ...event("s1", who.root), flag: who.root });
  expect(asked.ran).toHaveLength(1);
  const again = await send(who, event("s1", who.root));
  expect([again.ran.length, again.decision.person.filter((line) => BESIDE.test(line))]).toEqual([1, []]);
  expect((await send(who, event("s2", who.root))).ran).toHaveLength(1);
});
