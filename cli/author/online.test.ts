import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "./test-program.ts";

setDefaultTimeout(120_000);

const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    asked.push(request.headers.get("x-key") ?? "");
    const isBad = (await request.text()).includes("rm -rf");
    return isBad ? Response.json({ decision: "block", reason: "the judge says no" }) : new Response();
  },
});
afterAll(() => server.stop(true));

test("an author's cases reach the hosts that the package declares, a module's and an http handler's", async () => {
  using base = temporaryFolder();
  const host = `localhost:${server.port}`;
  await hookpkg(base.path, "new", "judge", "--name", "@acme/judge");
  rmSync(join(base.path, "judge/test/cases"), { recursive: true });
  const put = (path: string, text: string | object) =>
    Bun.write(join(base.path, "judge", path), typeof text === "string" ? text : JSON.stringify(text));
  const rights = { net: [host], env: ["JUDGE_KEY"] };
  await put("hookpkg.json", { name: "@acme/judge", version: "1.0.0", description: "d", capabilities: rights });
  const more = { failMode: "closed", may: ["cancel"] };
  const http = { id: "far", type: "http", url: `http://${host}/`, headers: { "x-key": "plain" }, ...more };
  const module = { id: "near", type: "module", module: "./near.ts", ...more };
  await put("hooks/hooks.json", { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [module, http] }] } });
  await put(
    "near.ts",
    `export default async (event, ctx) => { await ctx.fetch("http://${host}/", { headers: { "x-key": "near" } }); };`,
  );
  const one = (command: string, want: object) => ({
    ...{ name: command, event: "PreToolUse", input: { tool_name: "Bash", tool_input: { command } }, want },
  });
  await put("test/cases/all.json", [
    one("rm -rf /", { answer: "cancel", reasonIncludes: "judge says no" }),
    one("ls", { answer: "continue" }),
  ]);
  const { code, result } = await hookpkgJson(base.path, "test", "judge");
  expect([code, result]).toMatchObject([0, { data: { passed: 2, failed: 0 } }]);
  expect(asked).toEqual(["near", "plain", "near", "plain"]);
});
