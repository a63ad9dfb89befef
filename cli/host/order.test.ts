import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";
import { approveAll, guardCode, must, stateOf, writeGuard } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

const FIRST = "file:./first#no-rm";
const SECOND = "file:./second#no-rm";

function madeGuard(base: string, name: string): void {
  writeGuard(base, { code: guardCode(name), manifest: { name: `@acme/${name}` } });
  rmSync(join(base, name), { recursive: true, force: true });
  renameSync(join(base, "guard"), join(base, name));
}

/** Two guards in one project. */
async function two() {
  const base = temporaryFolder();
  madeGuard(base.path, "first");
  madeGuard(base.path, "second");
  await must(hookpkg(base.path, "init"));
  return base;
}

const wish = (base: string, order: object) => {
  const file = join(base, ".hookpkg/project.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), order }));
};

async function approvedTwo() {
  const base = await two();
  await must(hookpkg(base.path, "install", "./first", "./second"), 3);
  await approveAll(base.path);
  return base;
}

/** One local package whose two handlers have wishes about each other. */
async function pair(wishes: { early: object; late: object }) {
  const base = temporaryFolder();
  await must(hookpkg(base.path, "init"));
  rewritePair(base.path, wishes);
  return base;
}

function rewritePair(base: string, { early, late }: { early: object; late: object }): void {
  writeGuard(base, {});
  const common = { type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
  const hooks = [
    { id: "late", ...common, ...late },
    { id: "early", ...common, ...early },
  ];
  writeFileSync(join(base, "guard/hooks/hooks.json"), JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }));
}

test("order shows each chain with tiers and reasons", async () => {
  using base = await pair({ early: {}, late: { after: ["#early"] } });
  expect((await must(hookpkg(base.path, "order"))).out).toBe("no approved handler reacts here\n");
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  expect((await must(hookpkg(base.path, "order", "tool.call"))).out).toBe(
    [
      "PreToolUse",
      "  1. file:./guard#early (package, trusted)",
      "      file:./guard#late asks to be after it",
      "  2. file:./guard#late (package, trusted)",
      "      after file:./guard#early",
      "",
    ].join("\n"),
  );
  expect((await must(hookpkg(base.path, "order", "Stop"))).out).toBe("no approved handler reacts here\n");
  for (const words of [["NoEvent"], ["Stop", "PreToolUse"]])
    expect(await refusal(base.path, "order", ...words)).toEqual([64, "E_USAGE"]);
});

test("a changed order waits on every surface with exit 3, and its digest approves it", async () => {
  using base = await approvedTwo();
  const chain = async () => {
    const { result } = await hookpkgJson(base.path, "order");
    const data = Object(Object(result).data);
    return [data.events[0].chain.map(({ handler }: { handler: string }) => handler), data.waiting?.digest];
  };
  expect(await chain()).toEqual([[FIRST, SECOND], undefined]);
  wish(base.path, { PreToolUse: [SECOND] });
  const [order, digest] = await chain();
  expect(order).toEqual([FIRST, SECOND]);
  for (const words of [["order"], ["status"], ["list"], ["approve", "--list"], ["install"]])
    expect(await hookpkg(base.path, ...words)).toMatchObject({ code: 3, out: expect.stringContaining("order") });
  const { result } = await hookpkgJson(base.path, "approve", "--list");
  expect(result).toMatchObject({ data: { waiting: [], order: { digest, events: [{ after: [SECOND, FIRST] }] } } });
  const key = join(base.path, "ci.key");
  expect(await hookpkg(base.path, "approve")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`hookpkg approve --order ${digest} --key FILE`),
  });
  const other = `sha256:${"0".repeat(64)}`;
  expect(await refusal(base.path, "approve", "--order", other, "--key", key)).toEqual([1, "E_APPROVE_ORDER"]);
  expect(await refusal(base.path, "approve", "--order", `${digest}`)).toEqual([64, "E_USAGE"]);
  await must(hookpkg(base.path, "approve", "--order", `${digest}`, "--key", key));
  expect(await chain()).toEqual([[SECOND, FIRST], undefined]);
  expect((await hookpkg(base.path, "status")).code).toBe(0);
});

test("rejected, it is asked about no more and the approved order goes on", async () => {
  using base = await approvedTwo();
  wish(base.path, { PreToolUse: [SECOND] });
  await must(hookpkg(base.path, "approve", "--reject", "order", "--key", join(base.path, "ci.key")));
  expect((await must(hookpkg(base.path, "order"))).out).toMatch(/1\. file:\.\/first[\s\S]*2\. file:\.\/second/);
});

test("at a terminal the order is shown and asked about; Enter leaves it as it is", async () => {
  using base = await two();
  await must(hookpkg(base.path, "install", "./first", "./second"), 3);
  const DOWN = "\u001b[B";
  const yes: [string, string] = ["later: it stays", `${DOWN}${DOWN}\r`];
  expect(
    (await atTerminal(base.path, ["approve"], [yes, ["2 of 2", ""], yes, ["first approval", `${DOWN}\r`]])).code,
  ).toBe(0);
  wish(base.path, { PreToolUse: [SECOND] });
  const before = stateOf(base.path);
  const later = await atTerminal(base.path, ["approve"], [["the approved order goes on", "\r"]]);
  expect([later.code, later.screen]).toEqual([0, expect.stringContaining(`PreToolUse then: ${SECOND}, ${FIRST}`)]);
  expect(stateOf(base.path)).toEqual(before);
  expect((await atTerminal(base.path, ["approve"], [["later: the approved order", `${DOWN}\r`]])).code).toBe(0);
  expect((await must(hookpkg(base.path, "order"))).out).toContain(`1. ${SECOND}`);
});

const CYCLE = { early: { after: ["#late"] }, late: { after: ["#early"] } };

test("the install that would make a cycle or a dead reference writes nothing; so does the uninstall", async () => {
  using base = await pair(CYCLE);
  const files = () => readFileSync(join(base.path, ".hookpkg/project.json"), "utf8");
  const before = files();
  expect(await refusal(base.path, "install", "./guard")).toEqual([1, "E_ORDER_CYCLE"]);
  rewritePair(base.path, { early: {}, late: { after: ["@acme/none"] } });
  expect(await refusal(base.path, "install", "./guard")).toEqual([1, "E_ORDER_REFERENCE"]);
  expect(files()).toBe(before);
  rewritePair(base.path, { early: {}, late: { after: ["@acme/none?"] } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  wish(base.path, { PreToolUse: ["file:./guard"] });
  expect(await refusal(base.path, "uninstall", "./guard")).toEqual([1, "E_ORDER_REFERENCE"]);
  wish(base.path, {});
  await must(hookpkg(base.path, "uninstall", "./guard"));
});

test("an order that cannot be walked is told by order, status and doctor", async () => {
  using base = await pair({ early: {}, late: {} });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  rewritePair(base.path, CYCLE); // no install was asked: local packages are read as they are
  await approveAll(base.path);
  expect((await hookpkg(base.path, "order")).out).toMatch(
    /not asked \[E_CHAIN_OFF\][\s\S]*problem: [\s\S]*\[E_CHAIN_CYCLE\]/,
  );
  expect((await hookpkg(base.path, "status")).out).toMatch(/held[\s\S]*E_CHAIN_CYCLE/);
  expect(await hookpkg(base.path, "doctor")).toMatchObject({ code: 1, out: expect.stringContaining("E_CHAIN_CYCLE") });
  expect((await hookpkg(base.path, "try", "ls")).out).toContain("cancelled");
});
