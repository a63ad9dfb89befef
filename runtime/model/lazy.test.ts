import { expect, test } from "bun:test";
import { join } from "node:path";

test("who runs handlers of other kinds loads no SDK: hosts start hookpkg on every event", () => {
  const program = `
    const at = (path) => import(${JSON.stringify(`${join(import.meta.dir, "..")}/`)} + path);
    const loaded = (part) => Object.keys(require.cache).filter((path) => path.includes(part)).length;
    await at("index.ts");
    await at("run/run-handler.ts");
    const before = [loaded("@ai-sdk"), loaded("run/prompt.ts"), loaded("run/run-handler.ts")];
    await at("model/provider.ts");
    console.log(JSON.stringify([before, loaded("@ai-sdk") > 0]));`;
  const run = Bun.spawnSync([process.execPath, "-e", program], { env: {} });
  expect(run.stderr.toString()).toBe("");
  expect(JSON.parse(run.stdout.toString())).toEqual([[0, 0, 1], true]);
});
