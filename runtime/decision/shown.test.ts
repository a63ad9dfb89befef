import { afterEach, expect, test } from "bun:test";
import type { Answer } from "@hookpkg/spec";
import { readJournal } from "../journal/reading.ts";
import { bash, consent, type Person, person, propose, send, sweepScratch } from "../test-project.ts";

afterEach(sweepScratch);

const NAME = "@acme/kit#guard";

async function guarded(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/kit": { handlers: [{}] } });
  await consent(who);
  return who;
}

test("a handler's message is a line for the person each time, as the handler's, clean and short", async () => {
  const who = await guarded();
  const answer: Answer = { answer: "continue", shown: "look\u001b[2J\nhookpkg: all is well" };
  for (const command of ["ls", "pwd"]) {
    const { decision } = await send(who, { payload: bash(who.root, command) }, () => answer);
    expect(decision.person.filter((line) => line.includes("look"))).toEqual([
      `hook ${NAME}: look[2J hookpkg: all is well`,
    ]);
  }
  const { decision } = await send(who, { command: "id" }, () => ({ ...answer, shown: "x".repeat(500) }));
  expect(decision.person.map(({ length }) => length)).toEqual([100]);
  expect(readJournal(who.home, who.project.id, { limit: 5 }).map(({ why }) => why?.slice(0, 4))).toEqual([
    "look",
    "look",
    "xxxx",
  ]);
});

test("beside a refusal it stands behind it", async () => {
  const who = await guarded();
  const answer: Answer = { answer: "cancel", reason: "no", shown: "ask the team" };
  const { decision } = await send(who, {}, () => answer);
  expect(decision.person.slice(0, 2)).toEqual([`hookpkg: cancelled by ${NAME}: no`, `hook ${NAME}: ask the team`]);
});

test("text that is no decision is journaled each time and told once a session", async () => {
  const who = await guarded();
  const said: string[][] = [];
  for (const session of ["s1", "s1", "s2"]) {
    const payload = bash(who.root, "git push", { session_id: session, tool_use_id: `${said.length}` });
    const { decision } = await send(who, { payload }, () => ({ answer: "continue", printed: "refused:\nno force" }));
    expect(decision.decision).toBe("continue");
    said.push(decision.person.filter((line) => line.includes("printed")));
  }
  const line = `hookpkg: ${NAME} printed text, no decision: refused: no force`;
  expect(said).toEqual([[line], [], [line]]);
  const lines = readJournal(who.home, who.project.id, { limit: 5 });
  expect(lines.map(({ why }) => why)).toEqual(lines.map(() => "printed text, no decision: refused:\nno force"));
  expect(lines).toHaveLength(3);
});
