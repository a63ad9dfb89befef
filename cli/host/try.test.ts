import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  must,
  stateOf,
  testProject,
  withStdin,
  writeGuard,
} from "../trust/test-project.ts";

setDefaultTimeout(60_000);

test("each handler and the decision are shown; no session and no journal hears of it", async () => {
  using base = await testProject();
  const unapproved = (await hookpkg(base.path, "try", "rm -rf x")).out;
  expect(unapproved).toContain(`${GUARD} reacts to this but WAITS FOR APPROVAL`);
  expect(unapproved).toContain(`hookpkg approve '${GUARD}'`);
  expect(await hookpkgJson(base.path, "try", "--write", "a.txt")).toMatchObject({ result: { data: { waiting: [] } } });
  await approveAll(base.path);
  const before = stateOf(base.path);
  const { code, result } = await hookpkgJson(base.path, "try", "rm -rf x");
  expect([code, result]).toMatchObject([
    0,
    { data: { decision: "cancel", handlers: [{ handler: GUARD, outcome: "answered", answer: "cancel" }] } },
  ]);
  const passed = await hookpkg(base.path, "try", "ls");
  expect([passed.code, passed.out]).toEqual([0, expect.stringContaining("it would go on")]);
  const written = await hookpkg(base.path, "try", "--write", "a.txt");
  expect([written.code, written.out]).toEqual([0, expect.stringContaining("no approved handler reacts")]);
  expect(stateOf(base.path)).toEqual(before);
});

test("a guard that only prints its refusal is seen through by try, test, log and explain", async () => {
  using base = await testProject();
  const handler = { type: "command", module: undefined, argv: ["/bin/echo", "no removals here"] };
  writeGuard(base.path, { handler });
  expect((await hookpkg(base.path, "test", "guard")).out).toContain("it printed text, no decision: no removals here");
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  const told = "printed text, no decision: no removals here";
  expect((await must(hookpkg(base.path, "try", "rm -rf x"))).out).toContain(`hookpkg: ${GUARD} ${told}`);
  const event = eventText(base.path, "rm -rf x");
  expect((await must(withStdin(base.path, ["run", "native"], { stdin: event }))).out).toContain(`${GUARD} ${told}`);
  expect((await must(hookpkg(base.path, "log"))).out).toContain(told);
  expect((await must(hookpkg(base.path, "explain"))).out).toContain(`said: ${told}`);
});

test("a service that never says ready is told so by try and explain, with what mends it", async () => {
  using base = await testProject();
  writeGuard(base.path, { handler: { type: "service", module: undefined, argv: ["cat"], timeout: 1 } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  const tried = (await must(hookpkg(base.path, "try", "ls"))).out;
  expect(tried).toContain("[E_RUN_NOT_READY]");
  expect(tried).toContain('a service writes {"ready":1} on a line of its own first');
  await must(withStdin(base.path, ["run", "native"], { stdin: eventText(base.path, "ls") }));
  const explained = (await must(hookpkg(base.path, "explain"))).out;
  expect(explained).toContain('E_RUN_NOT_READY: the service did not say {"ready":1}');
  expect(explained).toContain('a service writes {"ready":1} on a line of its own first');
});

test("one call at a time, in a project", async () => {
  using base = temporaryFolder();
  for (const words of [[], ["ls", "-l"], ["ls", "--write", "x"], [""], ["--write", ""]])
    expect(await refusal(base.path, "try", ...words)).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "try", "ls")).toEqual([1, "E_PROJECT_MISSING"]);
  expect(await refusal(base.path, "try", "ls", "--project", join(base.path, "none"))).toEqual([1, "E_PROJECT_MISSING"]);
});
