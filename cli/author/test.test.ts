import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandData } from "@hookpkg/spec";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

type Declared = { module?: string; command?: string[]; options?: object; handler?: object; matcher?: string };
type Wanted = { answer: string; reasonIncludes?: string; patch?: object };

const BASH = { tool_name: "Bash", tool_input: { command: "ls", description: "look" } };

/** A package of one handler, and what its cases come to in the real sandbox. */
async function tested(
  base: string,
  { module, command, options = {}, handler = {}, matcher = "Bash" }: Declared,
  cases: object[],
) {
  const dir = join(base, "guard");
  rmSync(dir, { recursive: true, force: true });
  await hookpkg(base, "new", "guard", "--name", "@acme/guard");
  const manifest = { name: "@acme/guard", version: "1.0.0", description: "d", options };
  const run = command ? { type: "command", argv: command } : { type: "module", module: "./guard.ts" };
  const one = {
    id: "g",
    ...run,
    failMode: "closed",
    may: ["cancel", "ask", "patch", "context"],
    timeout: 5,
    ...handler,
  };
  writeFileSync(join(dir, "hookpkg.json"), JSON.stringify(manifest));
  writeFileSync(
    join(dir, "hooks", "hooks.json"),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [one] }] } }),
  );
  rmSync(join(dir, "test", "cases"), { recursive: true });
  if (module !== undefined)
    writeFileSync(
      join(dir, "guard.ts"),
      `import * as sdk from "@hookpkg/sdk";\nexport default async (event, ctx) => { ${module} };`,
    );
  await Bun.write(join(dir, "test", "cases", "all.json"), JSON.stringify(cases));
  const { code, result } = await hookpkgJson(base, "test", "guard");
  if (!result.ok) return { code, refused: result.error.code, cases: [] };
  return { code, refused: undefined, cases: (result.data as CommandData["test"]).cases }; // the command's own type
}

const one = (want: Wanted, more: object = {}) => ({ name: "n", event: "PreToolUse", input: BASH, want, ...more });

test("each answer is compared, with its reason and its patch", async () => {
  using base = temporaryFolder();
  const module = `
    const { command } = event.tool_input;
    if (command === "patch") return sdk.patch({ tool_input: { command: "ls -l" } });
    if (command === "ask") return sdk.ask("is it meant?");
    if (command === "cancel") return sdk.cancel("no, " + ctx.project + " " + event.cwd);
    if (command === "context") return sdk.context("remember");`;
  const said = (command: string) => ({ input: { tool_name: "Bash", tool_input: { command } } });
  const { code, cases } = await tested(base.path, { module }, [
    one({ answer: "continue" }),
    one({ answer: "ask", reasonIncludes: "meant" }, said("ask")),
    one(
      { answer: "cancel", reasonIncludes: "/srv/app /srv/app" },
      { input: { ...said("cancel").input, cwd: "/srv/app" } },
    ),
    one({ answer: "context" }, said("context")),
    one({ answer: "patch", patch: { tool_input: { command: "ls -l" } } }, said("patch")),
    one({ answer: "patch", patch: { tool_input: { command: "other" } } }, said("patch")),
    one({ answer: "cancel", reasonIncludes: "never said" }, said("cancel")),
    one({ answer: "continue" }, said("cancel")),
    one({ answer: "cancel" }),
  ]);
  expect(cases.map(({ passed }) => passed)).toEqual([true, true, true, true, true, false, false, false, false]);
  expect(code).toBe(1);
});

test("a guard that crashes, is late or answers nonsense refuses, but passes no case for that", async () => {
  using base = temporaryFolder();
  for (const module of [
    "throw new Error('x');",
    "await new Promise(() => {});",
    "return { answer: 'maybe' };",
    "process.exit(3);",
  ]) {
    const found = await tested(base.path, { module, handler: { timeout: 1 } }, [one({ answer: "cancel" })]);
    expect([found.code, found.cases[0]?.passed, /^(failed|late) \(E_/.test(found.cases[0]?.got ?? "")]).toEqual([
      1,
      false,
      true,
    ]);
  }
});

test("a command handler runs as hosts run it", async () => {
  using base = temporaryFolder();
  const command = ["/bin/sh", "-c", "grep -q '\"ls\"' && { echo 'no ls' >&2; exit 2; }; exit 0"];
  const other = { input: { tool_name: "Bash", tool_input: { command: "pwd" } } };
  const cases = [one({ answer: "cancel", reasonIncludes: "no ls" }), one({ answer: "continue" }, other)];
  expect(await tested(base.path, { command }, cases)).toMatchObject({ code: 0 });
});

test("options come from the case, else from their defaults; one that the package lacks is a fault", async () => {
  using base = temporaryFolder();
  const options = { word: { type: "string", default: "ls" } };
  const module = "return event.tool_input.command === ctx.options.word ? sdk.cancel('it is') : undefined;";
  const { code, cases } = await tested(base.path, { module, options }, [
    one({ answer: "cancel" }),
    one({ answer: "continue" }, { options: { word: "pwd" } }),
    one({ answer: "continue" }, { options: { wrod: "pwd" } }),
    one({ answer: "continue" }, { options: { word: 7 } }),
  ]);
  expect([code, cases.map(({ passed }) => passed)]).toEqual([1, [true, true, false, false]]);
  expect(cases.slice(2).map(({ got }) => got)).toEqual(["E_CASES_OPTION", "E_CASES_OPTION"]);
});

test("what a guard may not do it can't do here either, and nothing of it stays", async () => {
  using base = temporaryFolder();
  const module = `
    const { readFileSync, writeFileSync } = await import("node:fs");
    for (const path of ["/root/x", "${base.path}/x", "/etc/x"]) try { writeFileSync(path, ""); return sdk.next(); } catch {}
    try { readFileSync("/etc/shadow"); return sdk.next(); } catch {}
    try { await fetch("http://127.0.0.1:1"); } catch (error) { return sdk.cancel("walled in"); }`;
  expect(await tested(base.path, { module }, [one({ answer: "cancel", reasonIncludes: "walled in" })])).toMatchObject({
    code: 0,
  });
  expect(await Bun.file(join(base.path, "x")).exists()).toBe(false);
});

test("no case is a failure, and so is a payload that is none", async () => {
  using base = temporaryFolder();
  expect(await tested(base.path, { module: "" }, [])).toMatchObject({ code: 1, refused: "E_CASES_NONE" });
  const { code, cases } = await tested(base.path, { module: "" }, [one({ answer: "continue" }, { input: { cwd: 7 } })]);
  expect([code, cases[0]?.got]).toEqual([1, "E_PAYLOAD"]);
  expect(await refusal(base.path, "test", "gone")).toEqual([1, "E_FOLDER_MISSING"]);
});

test("the reasons of a guard can't act on the terminal", async () => {
  using base = temporaryFolder();
  await tested(base.path, { module: "return sdk.cancel('\\u001b[2J\\u202e');" }, [one({ answer: "continue" })]);
  const { code, out } = await hookpkg(base.path, "test", "guard");
  expect([code, /[\u001b\u202e]/.test(out)]).toEqual([1, false]);
});

test("a traceback is shown from both ends, and whole with --verbose; a case's name can't begin a line of its own", async () => {
  using base = temporaryFolder();
  const script =
    "echo 'Traceback (most recent call last):' >&2; echo '  File x' >&2; echo 'ValueError: boom' >&2; exit 1";
  const named = { ...one({ answer: "continue" }), name: "n\npass  forged: continue" };
  await tested(base.path, { command: ["/bin/sh", "-c", script] }, [named]);
  const { out } = await hookpkg(base.path, "test", "guard");
  expect(out).toContain("Traceback (most recent call last): … ValueError: boom");
  expect(out).toContain("FAIL  n<U+000A>pass  forged");
  expect(out).not.toMatch(/^pass/m);
  expect((await hookpkg(base.path, "test", "guard", "--verbose")).out).toContain("stderr:   File x\n");
});

test("a failed case names the handler, the code's meaning and all lines of what went wrong", async () => {
  using base = temporaryFolder();
  const threw = "throw new Error('boom\\npass  forged: continue');";
  const found = await tested(base.path, { module: threw }, [one({ answer: "cancel" })]);
  expect(found.cases).toMatchObject([{ asked: ["#g"], by: ["#g"], code: "E_RUN_THREW" }]);
  const { out } = await hookpkg(base.path, "test", "guard");
  expect(out).toContain("FAIL  n: wanted cancel, got failed (E_RUN_THREW), by #g\n      ");
  expect(out).toContain("\n      pass  forged: continue\n");
  expect(out).toContain("E_RUN_THREW: ");
  expect(out).not.toMatch(/U\+000A|^pass/m);
  const named = async (module: string, matcher = "Bash") => {
    await tested(base.path, { module, matcher }, [one({ answer: "ask" })]);
    return (await hookpkg(base.path, "test", "guard")).out.split("\n")[0];
  };
  expect(await named("return sdk.cancel('no');")).toBe("FAIL  n: wanted ask, got cancel, by #g: no");
  expect(await named("")).toBe("FAIL  n: wanted ask, got continue; asked: #g");
  expect(await named("", "Write")).toBe("FAIL  n: wanted ask, got continue; no handler reacts to it");
  await tested(base.path, { module: "return sdk.ask('sure?');" }, [one({ answer: "ask" })]);
  expect((await hookpkg(base.path, "test", "guard", "--verbose")).out).toStartWith("pass  n: ask, by #g\n");
});

test("a service that reads lines but never says ready is told so by test", async () => {
  using base = temporaryFolder();
  const handler = { type: "service", timeout: 1 };
  await tested(base.path, { command: ["cat"], handler }, [one({ answer: "cancel" })]);
  const { out } = await hookpkg(base.path, "test", "guard");
  expect(out).toContain(
    'got late (E_RUN_NOT_READY), by #g\n      E_RUN_NOT_READY: the service did not say {"ready":1}',
  );
});

test("a case gets the hook shape that hosts give: absolute paths, a patch's changes read from it", async () => {
  using base = temporaryFolder();
  const module = `
    const { tool_input: { changes, file_path } } = event;
    return sdk.cancel(file_path ?? (changes === null ? "unreadable" : changes.map((one) => one.op + " " + one.path).join()));`;
  const handler = { timeout: 5 };
  const cases = (tool_name: string, tool_input: object, reasonIncludes: string) =>
    one({ answer: "cancel", reasonIncludes }, { input: { cwd: "/srv/app", tool_name, tool_input } });
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch";
  const { code } = await tested(base.path, { module, handler, matcher: "Write|apply_patch" }, [
    cases("apply_patch", { patch }, "add /srv/app/a.txt"),
    cases("apply_patch", { command: patch }, "add /srv/app/a.txt"),
    cases("apply_patch", { patch: "what" }, "unreadable"),
    cases("Write", { file_path: "b/c.txt", content: "" }, "/srv/app/b/c.txt"),
  ]);
  expect(code).toBe(0);
});
