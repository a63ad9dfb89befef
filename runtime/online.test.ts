import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dispatch } from "./dispatch.ts";
import { openEngine } from "./engine.ts";
import { keptFolders } from "./gate/gate.ts";
import { journalFile, journalFolder } from "./journal/journal.ts";
import { readJournal } from "./journal/reading.ts";
import { bash, consent, type Person, person, propose, sweepScratch } from "./test-project.ts";

afterEach(sweepScratch);

const got: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    got.push(`${request.headers.get("authorization")} ${(await request.text()).includes('"rm -rf /"')}`);
    return Response.json({ decision: "block", reason: `no ${request.headers.get("authorization")}` });
  },
});
beforeEach(() => {
  got.length = 0;
});
afterAll(() => server.stop(true));
const HOST = `localhost:${server.port}`;
const SECRET = "not-to-be-seen-9";

function ask(who: Person, command: string, more: { offline?: boolean } = {}) {
  const engine = openEngine({
    ...{ home: who.home, env: { JUDGE: SECRET }, worker: process.execPath, outside: who.outside },
    ...more,
  });
  return dispatch({ payload: bash(who.root, command), host: "claude-code", canAsk: true }, engine);
}
const lines = (who: Person) => readJournal(who.home, who.project.id, { limit: 10 });
const written = (who: Person) => readFileSync(journalFile(journalFolder(who.home, who.project.id), 0), "utf8");

test("real network: an approved http guard judges a call, and its secret is in nobody's words", async () => {
  const who = await person();
  const http = {
    ...{ id: "judge", type: "http", url: `http://${HOST}/judge`, module: undefined },
    headers: { authorization: "Bearer ${JUDGE}" },
  };
  const manifest = { capabilities: { net: [HOST], env: ["JUDGE"] } };
  await propose(who, { "@acme/judge": { handlers: [http], manifest } });
  await consent(who);
  const decision = await ask(who, "rm -rf /");
  expect(got).toEqual([`Bearer ${SECRET} true`]);
  expect(decision).toMatchObject({
    decision: "cancel",
    reason: expect.stringContaining("@acme/judge#judge: no Bearer"),
  });
  expect(JSON.stringify(decision) + written(who)).not.toContain(SECRET);
  expect(await ask(who, "ls", { offline: true })).toMatchObject({
    decision: "cancel",
    handlers: [{ why: "E_HTTP_OFFLINE" }],
  });
  expect(got).toHaveLength(1);
});

test("real network: what a module asks beyond its rights is in the journal, exactly, and what it keeps is its own", async () => {
  const who = await person();
  const code = `export default async (event, ctx) => {
    const tried = (url) => ctx.fetch(url).then((response) => response.status, (error) => error.code);
    await ctx.storage.set("seen", event.tool_input.command);
    const codes = [await tried("http://${HOST}/"), await tried("https://evil.example/"), await tried("http://169.254.169.254/")];
    return { answer: "cancel", reason: codes.join(" ") + " " + ctx.env.JUDGE } }`;
  const manifest = { capabilities: { net: [HOST], env: ["JUDGE"] } };
  await propose(who, { "@acme/asks": { handlers: [{}], files: { "guard.ts": code }, manifest } });
  await consent(who);
  const { reason } = await ask(who, "ls");
  expect(reason).toBe("@acme/asks#guard: 200 E_CAPABILITY E_NET_URL «redacted:secret»");
  expect(lines(who).map(({ denied }) => denied)).toEqual([
    ["net evil.example:443: not declared", "net http://169.254.169.254/: no plain address of a named host"],
  ]);
  expect(written(who)).not.toContain(SECRET);
  const kept = keptFolders(who.home, { source: "@acme/asks", project: who.project.id });
  expect(kept.map((folder) => existsSync(folder))).toEqual([false, true]);
  expect(kept.every((folder) => folder.startsWith(join(who.home.data, "data")))).toBe(true);
  expect((await ask(who, "ls", { offline: true })).reason).toContain("E_CAPABILITY E_CAPABILITY E_NET_URL");
});
