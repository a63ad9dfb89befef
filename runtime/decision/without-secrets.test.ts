import { afterEach, expect, test } from "bun:test";
import { readJournal } from "../journal/reading.ts";
import { shell } from "../run/test-run.ts";
import { consent, person, propose, send, sweepScratch } from "../test-project.ts";

afterEach(sweepScratch);

const TOKEN = `ghp_${"x1Y2".repeat(9)}`;
const HEAD = TOKEN.slice(0, 12);
/** Where each text is cut, in characters: a reason for the agent, a person's line, a line of the journal. */
const CUTS = [4000, 100, 500];

test("a secret that lies across a cut leaves no head: in the reason, a person's line and the journal", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  for (const cut of CUTS)
    for (let before = cut - 70; before < cut; before += 10) {
      const reason = `${"a ".repeat(before / 2)}${TOKEN} ${"b".repeat(100)}`;
      const { decision } = await send(who, { command: `rm ${cut} ${before}` }, () => ({ answer: "cancel", reason }));
      expect(JSON.stringify(decision)).not.toContain(HEAD);
    }
  expect(JSON.stringify(readJournal(who.home, who.project.id, { limit: 100 }))).not.toContain(HEAD);
});

test("nor in the two ends that are kept of a long stderr", async () => {
  const written = `${"a".repeat(1990)}${TOKEN}${"b".repeat(5000)}`;
  expect(JSON.stringify(await shell(`printf %s ${written} >&2; exit 1`))).not.toContain(HEAD.slice(0, 8));
});
