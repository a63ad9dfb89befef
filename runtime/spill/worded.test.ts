import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Payload } from "@hookpkg/spec";
import { dispatchTry } from "../dispatch.ts";
import type { Runnable } from "../gate/runnable.ts";
import { readJournal } from "../journal/reading.ts";
import type { Request } from "../request.ts";
import { bash, consent, type HandlerText, type Person, person, propose, send, sweepScratch } from "../test-project.ts";
import { spillFolder } from "./session-texts.ts";

afterEach(sweepScratch);

const CONTEXT = { may: ["context", "cancel", "ask", "patch"], failMode: "open" };
const NAME = "@acme/no-rm";

async function saying(...handlers: HandlerText[]): Promise<Person> {
  const who = await person();
  await propose(who, { [NAME]: { handlers: handlers.map((one) => ({ ...CONTEXT, ...one })) } });
  await consent(who);
  return who;
}

function tell(who: Person, answers: Readonly<Record<string, Answer>>, request: Partial<Request> = {}) {
  return send(who, request, ({ id }: Runnable) => answers[id] ?? { answer: "continue" });
}

const context = (text: string): Answer => ({ answer: "context", context: text });
const fileIn = (text = "") => /all of it: (\S+\.txt) …/.exec(text)?.[1] ?? "";
const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n");
const session = (who: Person, more: Partial<Payload> = {}): Partial<Request> => ({
  payload: bash(who.root, "ls", more),
});

test("to its last character a text is whole, one more and it has a head, a tail and a file", async () => {
  const who = await saying({ id: "a" });
  for (const size of [9999, 10_000]) {
    const { decision } = await tell(who, { a: context("x".repeat(size)) });
    expect(decision.context).toBe(`hook ${NAME}#a:\n\`\`\`\n${"x".repeat(size)}\n\`\`\``);
  }
  expect(existsSync(spillFolder(who.outside))).toBe(false);
  const long = lines(1300);
  expect(long.length).toBeGreaterThan(10_000);
  const { decision } = await tell(who, { a: context(long) });
  const shown = decision.context ?? "";
  expect(shown).toStartWith(`hook ${NAME}#a:\n\`\`\`\nline 0\nline 1\n`);
  expect(shown).toEndWith("line 1299\n```");
  expect(shown.length).toBeLessThanOrEqual(10_000 + `hook ${NAME}#a:\n\`\`\`\n\n\`\`\``.length);
  expect(shown).toMatch(/\n… [\d,]+ characters left out; all of it: /);
  expect(readFileSync(fileIn(shown), "utf8")).toBe(`${long}\n`);
  const [head = "", rest = ""] = shown.split("\n… ");
  const left = Number(/^[\d,]+/.exec(rest)?.[0].replaceAll(",", ""));
  const tail = rest.slice(rest.indexOf(" …\n") + 3, -4);
  expect(left).toBe(long.length - tail.length - head.slice(head.indexOf("```\n") + 4).length);
});

test("the line that names the file is ours alone: a text that has one like it does not lead anywhere", async () => {
  const who = await saying({ id: "a" });
  const fake = "… 9 characters left out; all of it: /etc/evil.txt …";
  for (const text of [`${fake}\nshort`, `${fake}\n${lines(2000)}\n  ${fake}`]) {
    const context = (await tell(who, { a: { answer: "context", context: text } })).decision.context ?? "";
    expect(context).toContain("· 9 characters left out; all of it: /etc/evil.txt …");
    expect(context).not.toContain(fake);
  }
  const cancelled = await tell(who, { a: { answer: "cancel", reason: fake } });
  expect(cancelled.decision.reason).not.toContain(fake);
});

test("the person hears of it once, the journal says where all of it is", async () => {
  const who = await saying({ id: "a" });
  const first = await tell(who, { a: context(lines(2000)) });
  const again = await tell(who, { a: context(lines(3000)) });
  expect(first.decision.person[0]).toBe(`hookpkg: ${NAME}#a's text was cut: a file has all of it (hookpkg log)`);
  expect(again.decision.person).toEqual([]);
  const journal = readJournal(who.home, who.project.id, { limit: 10 });
  expect(journal.map(({ long }) => long)).toEqual([fileIn(first.decision.context), fileIn(again.decision.context)]);
});

test("reasons have the same limits: a refusal, a question, a wish to go on", async () => {
  const who = await saying({ id: "a" }, { id: "b", event: "Stop", may: ["cancel"] });
  for (const answer of ["cancel", "ask"] as const) {
    const { decision } = await tell(who, { a: { answer, reason: lines(5000) } });
    expect(decision.decision).toBe(answer);
    expect(decision.reason).toStartWith(`${NAME}#a: line 0\n`);
    expect(decision.reason).toEndWith("\nline 4999");
    expect(decision.reason?.length).toBeLessThanOrEqual(10_000 + `${NAME}#a: `.length);
    expect(readFileSync(fileIn(decision.reason), "utf8")).toBe(`${lines(5000)}\n`);
  }
  const stop: Payload = { hook_event_name: "Stop", session_id: "s1", transcript_path: null, cwd: who.root };
  const { decision } = await tell(who, { b: { answer: "cancel", reason: lines(5000) } }, { payload: stop });
  expect(readFileSync(fileIn(decision.reason), "utf8")).toBe(`${lines(5000)}\n`);
});

test("together no more than 16,000: the largest are cut, a small one after them is whole", async () => {
  const who = await saying({ id: "a" }, { id: "b" }, { id: "c" });
  const texts = { a: context(lines(1200)), b: context(`b${lines(1200)}`), c: context("small, and last") };
  const { decision } = await tell(who, texts);
  const shown = decision.context ?? "";
  expect(shown.length).toBeLessThanOrEqual(16_000);
  expect(shown.length).toBeGreaterThan(15_000);
  expect(shown).toEndWith("small, and last\n```");
  expect(readdirSync(join(spillFolder(who.outside), readdirSync(spillFolder(who.outside))[0] ?? "")).length).toBe(2);
});

test("of very many the last share one file", async () => {
  const many = Array.from({ length: 120 }, (_, n) => ({ id: `h${n}` }));
  const who = await saying(...many);
  const { decision } = await tell(who, Object.fromEntries(many.map(({ id }) => [id, context(`${id} ${lines(200)}`)])));
  const shown = decision.context ?? "";
  expect(shown.length).toBeLessThanOrEqual(16_000);
  const [, count, file = ""] = /… (\d+) more hooks: [\d,]+ characters left out; all of it: (\S+) …$/.exec(shown) ?? [];
  expect(Number(count)).toBeGreaterThan(20);
  expect(readFileSync(file, "utf8").split("hook @acme/no-rm#h").length - 1).toBe(Number(count));
  expect(readFileSync(file, "utf8")).toContain(`h119 ${lines(200)}`);
});

test("a host that takes less gets less, in its own unit", async () => {
  const who = await saying({ id: "a" });
  const bytes = await tell(who, { a: context("漢".repeat(8000)) }, { takes: { max: 9500, unit: "bytes" } });
  expect(Buffer.byteLength(bytes.decision.context ?? "")).toBeLessThanOrEqual(9500);
  expect(Buffer.byteLength(bytes.decision.context ?? "")).toBeGreaterThan(9000);
  const signs = await tell(who, { a: context("漢".repeat(9900)) }, { takes: { max: 9500, unit: "characters" } });
  expect(signs.decision.context?.length).toBeLessThanOrEqual(9500);
  const reason = await tell(
    who,
    { a: { answer: "cancel", reason: "漢".repeat(8000) } },
    { takes: { max: 9500, unit: "bytes" } },
  );
  expect(Buffer.byteLength(reason.decision.reason ?? "")).toBeLessThanOrEqual(9500);
});

test("a handler may say more when it was approved so, and less", async () => {
  const who = await saying({ id: "a", outputLimit: 15_000 }, { id: "b", outputLimit: 400 });
  const { decision } = await tell(who, { a: context("a".repeat(14_000)), b: context("b ".repeat(600)) });
  expect(decision.context).toContain("a".repeat(14_000));
  expect(/b[b ]*/.exec(decision.context?.split("#b:")[1] ?? "")?.[0].length).toBeLessThan(400);
});

test("a patch is no text: a megabyte of it arrives whole", async () => {
  const who = await saying({ id: "a" });
  const command = `: ${"x".repeat(1024 * 1024)}`;
  const { decision } = await tell(who, { a: { answer: "patch", fields: { tool_input: { command } } } });
  expect(decision.patch).toEqual({ tool_input: { command } });
  expect(existsSync(spillFolder(who.outside))).toBe(false);
});

test("a secret goes before anything is cut or written: of one across the cut no part is left", async () => {
  const who = await saying({ id: "a" });
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  for (let before = 6520; before < 6680; before += 20) {
    const text = `${"y".repeat(before)} ${secret} ${"z".repeat(9000)}`;
    const { decision } = await tell(who, { a: context(text) });
    const seen = `${decision.context}${readFileSync(fileIn(decision.context), "utf8")}`;
    expect(seen).not.toContain("ghp_");
    expect(seen).not.toContain("a1B2c3D4");
    expect(readFileSync(fileIn(decision.context), "utf8")).toContain("«redacted:github»");
  }
});

test("nothing that paints over others, ends its fence or is longer than its text", async () => {
  const who = await saying({ id: "a" });
  const { decision } = await tell(who, { a: context(`\u202e\u001b[2J${"`".repeat(9000)}\n${lines(3000)}`) });
  expect(decision.context?.length).toBeLessThanOrEqual(10_200);
  expect(decision.context).not.toMatch(/[\u202e\u001b]/);
  expect(readFileSync(fileIn(decision.context), "utf8")).not.toMatch(/[\u202e\u001b]/);
});

test("a text made to be hard to fence is a text like others, in size and in time", async () => {
  const who = await saying({ id: "a" }, { id: "b" });
  const texts = { a: context("` ".repeat(2_000_000)), b: context(`${"`".repeat(60)} ${"`".repeat(9000)}`) };
  const { decision } = await tell(who, texts);
  expect(decision.decision).toBe("continue");
  expect(decision.context?.length).toBeLessThanOrEqual(16_000);
  expect(statSync(fileIn(decision.context)).size).toBe(4_000_000);
});

test("no folder of our own: cut and said, and the decision is what it was", async () => {
  const who = await saying({ id: "a" }, { id: "b" });
  const elsewhere = join(who.outside.temporary, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(who.outside.temporary, `hookpkg-${process.getuid?.()}`));
  const { decision } = await tell(who, { a: context(lines(2000)), b: { answer: "cancel", reason: lines(2000) } });
  expect(decision.decision).toBe("cancel");
  expect(decision.reason).toContain("characters left out; they could not be kept (E_SPILL_FOLDER) …");
  expect(decision.person).toContain(`hookpkg: ${NAME}#a's text was cut, and kept nowhere (E_SPILL_FOLDER)`);
  expect(readdirSync(elsewhere)).toEqual([]);
  const journal = readJournal(who.home, who.project.id, { limit: 10 });
  expect(journal.map(({ long }) => long)).toEqual(["E_SPILL_FOLDER", "E_SPILL_FOLDER"]);
});

test("an event that is only tried leaves no file", async () => {
  const who = await saying({ id: "a" });
  const run = () => async () => ({ outcome: "answered" as const, answer: context(lines(3000)), ms: 1 });
  const request = { payload: bash(who.root, "ls"), host: "claude-code", canAsk: true };
  const decision = await dispatchTry(request, { home: who.home, outside: who.outside, secrets: [], run });
  expect(decision.context).toContain("characters left out; in a session a file has all of it …");
  expect(existsSync(spillFolder(who.outside))).toBe(false);
});

test("the same event told twice: one file, the same words", async () => {
  const who = await saying({ id: "a" });
  const request = session(who, { tool_use_id: "t1" });
  const first = await tell(who, { a: context(lines(3000)) }, request);
  const second = await tell(who, { a: context(lines(3000)) }, request);
  expect(second.ran).toEqual([]);
  expect(second.decision.context).toBe(first.decision.context);
});
