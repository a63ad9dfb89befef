import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@hookpkg/sdk";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

setDefaultTimeout(120_000);

const bun = (cwd: string, ...words: string[]) => {
  const ran = Bun.spawnSync([process.execPath, ...words], { cwd, env: { PATH: "/usr/bin:/bin" } });
  return { code: ran.exitCode, said: `${ran.stdout}${ran.stderr}` };
};
const TSC = join(import.meta.dir, "../../node_modules/typescript/bin/tsc");

test("a new guard's own tests find the SDK without an install; so does the compiler, and nothing of it is packed", async () => {
  using base = temporaryFolder();
  expect((await hookpkg(base.path, "new", "mine")).code).toBe(0);
  const guard = join(base.path, "mine");
  expect(existsSync(join(guard, "node_modules"))).toBe(false);
  const own = bun(guard, "test");
  expect(own.said).toContain(" 0 fail");
  expect(own.code, own.said).toBe(0);
  const { result } = await hookpkgJson(base.path, "pack", "mine", "--dry-run");
  const packed = result.ok && "files" in result.data ? result.data.files : undefined;
  expect(packed).toEqual(expect.arrayContaining(["guard.ts"]));
  expect(packed).not.toEqual(expect.arrayContaining([expect.stringMatching(/sdk|tsconfig/)]));

  // A wrong field, a wrong answer and what only the sandbox's own side has are errors of the author's compiler.
  writeFileSync(join(guard, "wrong.ts"), WRONG);
  const types = join(import.meta.dir, "../node_modules/bun-types");
  const compiled = bun(guard, TSC, "--noEmit", "-p", ".", "--types", types);
  expect(compiled.said).toBe("");
  expect(compiled.code).toBe(0);
});

const WRONG = `
import { cancel, defineHook, type PreToolUse, runCase } from "@hookpkg/sdk";
// @ts-expect-error: no part of it
import { MAY } from "@hookpkg/sdk";

export const typed = defineHook<PreToolUse>((event, ctx) => {
  // @ts-expect-error: a prompt is another event's
  event.prompt;
  // @ts-expect-error: no such right
  ctx.shell("ls");
  return event.tool_name === "Bash" ? cancel("no") : undefined;
});
// @ts-expect-error: an answer is made by cancel(), next() …
export const wrong = defineHook(() => "cancel");
// @ts-expect-error: no such answer
export const other = defineHook(() => ({ answer: "deny", reason: "no" }));
export const ran = runCase(typed, { name: "a", event: "PreToolUse", input: {}, want: { answer: "cancel" } });
`;

test("what authors test with is what the sandbox gives them", async () => {
  using base = temporaryFolder();
  expect((await hookpkg(base.path, "new", "mine")).code).toBe(0);
  const copy: object = await import(join(base.path, "mine/.sdk/index.ts"));
  expect(Object.keys(copy).sort()).toEqual(Object.keys(sdk).sort());
});

test("sdk brings it into a package that has none, and up to date; a tsconfig.json stays its author's", async () => {
  using base = temporaryFolder();
  expect((await hookpkg(base.path, "new", "mine")).code).toBe(0);
  const at = (path: string) => join(base.path, "mine", path);
  const [copy, tsconfig] = [readFileSync(at(".sdk/index.ts"), "utf8"), readFileSync(at("tsconfig.json"), "utf8")];
  writeFileSync(at(".sdk/index.ts"), "old");
  expect((await hookpkg(base.path, "sdk", "mine")).out).toEndWith("tsconfig.json finds it\n");
  rmSync(at("tsconfig.json"));
  expect((await hookpkgJson(base.path, "sdk", "mine")).result).toMatchObject({ data: { tsconfig: true } });
  expect([readFileSync(at(".sdk/index.ts"), "utf8"), readFileSync(at("tsconfig.json"), "utf8")]).toEqual([
    copy,
    tsconfig,
  ]);
  writeFileSync(at("tsconfig.json"), "{}");
  rmSync(at(".sdk"), { recursive: true });
  expect((await hookpkg(base.path, "sdk", "mine")).out).toContain(`"@hookpkg/sdk": ["./.sdk/index.ts"]`);
  expect([readFileSync(at(".sdk/index.ts"), "utf8"), readFileSync(at("tsconfig.json"), "utf8")]).toEqual([copy, "{}"]);
  expect(await refusal(base.path, "sdk", ".")).toEqual([64, "E_USAGE"]);
  rmSync(at(".sdk"), { recursive: true });
  writeFileSync(at(".sdk"), "");
  expect(await refusal(base.path, "sdk", "mine")).toEqual([1, "E_FILE_WRITE"]);
});

test("sdk writes nothing behind a link that came with somebody's package", async () => {
  using base = temporaryFolder();
  expect((await hookpkg(base.path, "new", "theirs")).code).toBe(0);
  const [sdkFolder, mine] = [join(base.path, "theirs/.sdk"), join(base.path, "mine")];
  mkdirSync(mine);
  writeFileSync(join(mine, "index.ts"), "mine");
  rmSync(sdkFolder, { recursive: true });
  symlinkSync(mine, sdkFolder);
  expect(await refusal(base.path, "sdk", "theirs")).toEqual([1, "E_FILE_WRITE"]);
  expect(readdirSync(mine)).toEqual(["index.ts"]);
  expect(readFileSync(join(mine, "index.ts"), "utf8")).toBe("mine");
});
