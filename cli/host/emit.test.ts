import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";
import { startBridge, stdioClient } from "../bridge/test-client.ts";
import { approveAll, must, withStdin } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

/** A project whose handlers tell each other: the first of custom.asked tells custom.answered what it was told. */
async function project() {
  const base = temporaryFolder();
  const guard = join(base.path, "guard");
  mkdirSync(join(guard, "hooks"), { recursive: true });
  const handler = (id: string, code: string) => {
    writeFileSync(join(guard, `${id}.ts`), `export default ${code};\n`);
    return [{ hooks: [{ id, type: "module", module: `./${id}.ts` }] }];
  };
  const hooks = {
    "custom.asked": [
      ...handler(
        "tells",
        `async (event, ctx) => {
          await ctx.emit("custom.answered", { by: event.emitted_by, was: event.payload });
          ctx.emit("Stop"); // not theirs to tell, and nobody looks
        }`,
      ),
      ...handler("fails", `() => { throw new Error("boom"); }`),
    ],
    "custom.answered": handler("hears", `(event, ctx) => ctx.log(JSON.stringify([event.emitted_by, event.payload]))`),
    "custom.again": handler("again", `(event, ctx) => ctx.emit("custom.again", (event.payload ?? 0) + 1)`),
  };
  writeFileSync(join(guard, "hooks/hooks.json"), JSON.stringify({ hooks }));
  const manifest = { name: "@acme/guard", version: "1.0.0", description: "Tells", license: "MIT" };
  writeFileSync(join(guard, "hookpkg.json"), JSON.stringify(manifest));
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  return base;
}

type Line = Record<string, unknown> & { event: string; handler: string };
async function journal(base: string): Promise<Line[]> {
  const { result } = await hookpkgJson(base, "log");
  return result.ok && "lines" in result.data ? (result.data.lines as Line[]) : []; // the command's own type
}

test("emit says who heard it and what came of it; what they tell in turn is told, and the journal says by whom", async () => {
  using base = await project();
  const { result } = await hookpkgJson(base.path, "emit", "custom.asked", "--data", '{"n":1}');
  expect(result).toMatchObject({
    ok: true,
    data: {
      event: "custom.asked",
      handlers: [
        { handler: "file:./guard#tells", outcome: "answered" },
        { handler: "file:./guard#fails", outcome: "failed", why: "E_RUN_THREW" },
      ],
    },
  });
  const lines = await journal(base.path);
  expect(lines).toMatchObject([
    { event: "custom.asked", by: "hookpkg emit", outcome: "answered", denied: ["emit Stop: E_EMIT_NAME"] },
    { event: "custom.asked", by: "hookpkg emit", outcome: "failed" },
    {
      ...{ event: "custom.answered", by: "file:./guard#tells", handler: "file:./guard#hears", outcome: "answered" },
      stderr: '["file:./guard#tells",{"by":"hookpkg emit","was":{"n":1}}]',
    },
  ]);
  const { out } = await must(hookpkg(base.path, "log"));
  expect(out).toContain("custom.answered by file:./guard#tells");

  const said = await withStdin(base.path, ["emit", "custom.asked", "--data", "-"], { stdin: '"from stdin"' });
  expect([said.code, said.out.replace(/\s+/g, " ")]).toEqual([
    0,
    "custom.asked: told to 2 handlers: file:./guard#tells answered, file:./guard#fails failed (E_RUN_THREW) ",
  ]);
  expect((await journal(base.path)).at(-1)?.stderr).toContain("from stdin");

  expect((await must(hookpkg(base.path, "emit", "custom.nobody"))).out).toBe(
    "custom.nobody: no approved handler of this project reacts to it\n",
  );
});

test("a notice that brings itself is told four times and no more, and the journal says why", async () => {
  using base = await project();
  await must(hookpkg(base.path, "emit", "custom.again"));
  const lines = await journal(base.path);
  expect(lines.map(({ by, denied }) => [by, denied])).toEqual([
    ["hookpkg emit", undefined],
    ["file:./guard#again", undefined],
    ["file:./guard#again", undefined],
    ["file:./guard#again", ["emit custom.again: E_EMIT_DEPTH"]],
  ]);
});

test("an embedder's custom.<name> is told through the bridge, and waited for; what it brings is told afterwards", async () => {
  using base = await project();
  const bridge = startBridge(base.path, "--stdio");
  const client = stdioClient(bridge);
  await client.call("initialize", {});
  const payload = { session_id: "s", cwd: base.path, payload: { n: 2 } };
  const { result } = await client.call("hook/dispatch", { event: "custom.asked", payload });
  expect(result).toMatchObject({
    decision: "continue",
    handlers: [
      { handler: "file:./guard#tells", outcome: "answered" },
      { handler: "file:./guard#fails", outcome: "failed" },
    ],
  });
  let last: Line | undefined;
  while (last?.event !== "custom.answered") last = (await journal(base.path)).at(-1);
  bridge.stdin.end();
  expect(await bridge.exited).toBe(0);
  expect(last).toMatchObject({
    ...{ event: "custom.answered", by: "file:./guard#tells", session: "s", host: "native", outcome: "answered" },
    stderr: expect.stringContaining('"was":{"n":2}'),
  });
});

test("only custom.<name> with JSON of 64 KiB is told, outside every host, in a project", async () => {
  using base = await project();
  const at = (...args: string[]) => refusal(base.path, "emit", ...args);
  expect(await at("Stop")).toEqual([1, "E_EMIT_NAME"]);
  expect(await at("custom.")).toEqual([1, "E_EMIT_NAME"]);
  expect(await at("custom.A")).toEqual([1, "E_EMIT_NAME"]);
  expect(await at("spend.day")).toEqual([1, "E_EMIT_NAME"]);
  expect(await at()).toEqual([64, "E_USAGE"]);
  expect(await at("custom.a", "custom.b")).toEqual([64, "E_USAGE"]);
  expect(await at("custom.a", "--data", "{")).toEqual([1, "E_EMIT_JSON"]);
  expect(await at("custom.a", "--data", JSON.stringify("x".repeat(65_536)))).toEqual([1, "E_EMIT_SIZE"]);
  const inside = await withStdin(base.path, ["emit", "custom.a", "--json"], { stdin: "", env: { CLAUDECODE: "1" } });
  expect(JSON.parse(inside.out).error.code).toBe("E_EMIT_IN_HOST");
  using empty = temporaryFolder();
  expect(await refusal(empty.path, "emit", "custom.a")).toEqual([1, "E_PROJECT_MISSING"]);
  expect(await journal(base.path)).toEqual([]);
});
