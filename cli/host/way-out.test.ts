import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, hookpkg, hookpkgJson, refusal, started } from "../author/test-program.ts";
import { approveAll, eventText, GUARD, must, stateOf, testProject, withStdin } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

type Project = { path: string; key: string; [Symbol.dispose](): void };

async function guarded(): Promise<Project> {
  const base = await testProject();
  await approveAll(base.path);
  return { ...base, key: join(base.path, "ci.key"), [Symbol.dispose]: () => base[Symbol.dispose]() };
}

const approvals = (base: string) => JSON.parse(readFileSync(join(base, "home/state/approvals.json"), "utf8")).projects;
const answer = async (base: string) => {
  const { out } = await must(withStdin(base, ["run", "native"], { stdin: eventText(base, "rm -rf x") }));
  return JSON.parse(out) as { decision: string; reason?: string; person: string[] };
};

test("transcript: stuck in a session, out by disable, and back in exactly as before", async () => {
  using base = await guarded();
  const before = approvals(base.path);
  const said: string[][] = [];
  for (let n = 0; n < 3; n++) said.push((await answer(base.path)).person.filter((line) => line.includes("disable")));
  expect(said).toEqual([[], [], [`hookpkg: in another terminal: hookpkg disable '${GUARD}' or hookpkg safe-mode`]]);
  expect(await must(hookpkg(base.path, "disable", GUARD, "--key", base.key))).toMatchObject({
    out: `${GUARD} is OFF, from the next event on: hookpkg disable --undo '${GUARD}'\n`,
  });
  const { decision, person } = await answer(base.path);
  expect([decision, person]).toEqual(["continue", [`hookpkg: 1 HOOK IS OFF until hookpkg disable --undo: ${GUARD}`]]);
  expect((await answer(base.path)).person).toEqual([]);
  const status = await must(hookpkg(base.path, "status"), 1);
  expect(status.out).toContain("!! 1 handler OFF, guarding nothing: hookpkg disable --undo");
  expect(await must(hookpkg(base.path, "disable", "--undo", GUARD, "--key", base.key))).toMatchObject({
    out: `${GUARD} is on again\n`,
  });
  expect(approvals(base.path)).toEqual(before);
  expect((await answer(base.path)).decision).toBe("cancel");
});

test("transcript: safe mode switches all of it off, says so on every surface, and ends as it began", async () => {
  using base = await guarded();
  const before = approvals(base.path);
  expect(await hookpkgJson(base.path, "safe-mode", "--key", base.key)).toEqual({
    code: 0,
    result: { ok: true, data: { project: base.path, on: true, handlers: [GUARD] } },
  });
  expect((await answer(base.path)).person[0]).toBe(
    `hookpkg: SAFE MODE: 1 HOOK IS OFF until hookpkg safe-mode --undo: ${GUARD}`,
  );
  for (const command of ["status", "list"])
    expect((await must(hookpkg(base.path, command), command === "status" ? 1 : 0)).out).toMatch(
      /^!! SAFE MODE since \S+: nothing that you approved/m,
    );
  expect((await must(hookpkg(base.path, "order"))).out).toContain("not asked [E_GATE_SAFE_MODE]");
  expect((await must(hookpkg(base.path, "explain"))).out).toContain("E_GATE_SAFE_MODE");
  expect((await must(hookpkg(base.path, "try", "rm -rf x"))).out).toContain("SAFE MODE");
  expect((await must(hookpkg(base.path, "safe-mode", "--undo", "--key", base.key))).out).toBe(
    "safe mode is over: everything is as it was\n",
  );
  expect(approvals(base.path)).toEqual(before);
  expect((await answer(base.path)).decision).toBe("cancel");
});

test("at a terminal it takes a yes of the person's own, and Enter is none", async () => {
  using base = await testProject();
  const DOWN = "\u001b[B";
  const first: [string, string][] = [
    ["later: it stays", `${DOWN}${DOWN}\r`],
    ["first approval", `${DOWN}\r`],
  ];
  expect((await atTerminal(base.path, ["approve"], first)).code).toBe(0);
  const before = approvals(base.path);
  for (const [words, shown] of [
    [["disable", GUARD], "will guard nothing"],
    [["safe-mode"], "Switch all of it off?"],
  ] as const) {
    const no = await atTerminal(base.path, [...words], [[shown, "\r"]]);
    expect([no.code, no.screen]).toEqual([1, expect.stringContaining("E_DECLINED")]);
    expect(approvals(base.path)).toEqual(before);
    expect((await atTerminal(base.path, [...words], [[shown, "y"]])).code).toBe(0);
    expect((await answer(base.path)).decision).toBe("continue");
    expect((await atTerminal(base.path, [...words, "--undo"], [["run again", "y"]])).code).toBe(0);
  }
  expect((await answer(base.path)).decision).toBe("cancel");
});

test("refused inside a host, with a key too; without a terminal the flag is named; nothing is written", async () => {
  using base = await guarded();
  const before = stateOf(base.path);
  for (const words of [["disable", GUARD], ["safe-mode"], ["safe-mode", "--undo"]]) {
    for (const key of [[], ["--key", base.key]]) {
      const { code, err } = await withStdin(base.path, [...words, ...key], { stdin: "y\n", env: { CLAUDECODE: "1" } });
      expect([code, /\[(E_\w+)\]/.exec(err)?.[1]]).toEqual([1, "E_APPROVE_IN_HOST"]);
    }
    const { code, err } = await withStdin(base.path, words, { stdin: "y\ny\n" });
    const isSo = words.includes("--undo"); // it is not on: nothing is asked
    expect([code, err]).toEqual(isSo ? [0, ""] : [1, expect.stringContaining("--key FILE")]);
    expect(await refusal(base.path, ...words, "--yes")).toEqual([64, "E_USAGE"]);
  }
  expect(await refusal(base.path, "disable", "@acme/none#x", "--key", base.key)).toEqual([1, "E_HANDLER_UNKNOWN"]);
  expect(await refusal(base.path, "disable", "--key", base.key)).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "safe-mode", "more", "--key", base.key)).toEqual([64, "E_USAGE"]);
  expect(stateOf(base.path)).toEqual(before);
});

test("the way out does not need the chain to work: approved bytes that are gone hold nothing once it is off", async () => {
  using base = await guarded();
  await Bun.$`rm -rf ${join(base.path, "home/data/store")}`.quiet();
  expect((await answer(base.path)).decision).toBe("cancel");
  await must(hookpkg(base.path, "disable", GUARD, "--key", base.key));
  expect((await answer(base.path)).decision).toBe("continue");
});

test("what is so already is said to be, and nothing is signed for it", async () => {
  using base = await guarded();
  const before = stateOf(base.path);
  const key = ["--key", base.key];
  for (const [words, said] of [
    [["disable", "--undo", GUARD], `${GUARD} was on already\n`],
    [["safe-mode", "--undo"], "safe mode was not on here\n"],
  ] as const)
    expect(await must(hookpkg(base.path, ...words, ...key))).toMatchObject({ out: said });
  expect(stateOf(base.path)).toEqual(before);
  await must(hookpkg(base.path, "disable", GUARD, ...key));
  expect(await hookpkgJson(base.path, "disable", GUARD, ...key)).toMatchObject({
    code: 0,
    result: { data: { disabled: [], enabled: [] } },
  });
  await must(hookpkg(base.path, "safe-mode", ...key));
  expect((await must(hookpkg(base.path, "safe-mode", ...key))).out).toContain("SAFE MODE is on already, since ");
});

test("kill -9 at any moment leaves it on or off, signed, and what is guarded with it", async () => {
  using base = await guarded();
  for (let round = 0; round < 10; round++) {
    const words = ["safe-mode", "--key", base.key, ...(round % 2 === 0 ? [] : ["--undo"])];
    const killed = started(base.path, ...words);
    await Bun.sleep(150 + round * 40);
    killed.kill("SIGKILL");
    await killed.exited;
    const { out, code } = await hookpkg(base.path, "status");
    expect(out).not.toContain("held");
    const isSafe = out.includes("SAFE MODE");
    expect(code).toBe(isSafe ? 1 : 0);
    expect((await answer(base.path)).decision).toBe(isSafe ? "continue" : "cancel");
  }
});
