import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweepScratch, temporary } from "../test-project.ts";
import { guarded } from "./test-embedder.ts";

setDefaultTimeout(240_000);
afterAll(sweepScratch);

const PROGRAM = `
  import { writeSync } from "node:fs";
  import { openChain } from ${JSON.stringify(join(import.meta.dir, "../index.ts"))};
  const [, , project, home, worker] = process.argv;
  await using chain = openChain({ project, home, env: {}, ...(worker ? { worker } : {}) });
  const { reason } = await chain.dispatch("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } });
  writeSync(1, reason + "\\n");
`;

test("an embedder that was compiled runs its workers itself, or with a program that it names", async () => {
  const who = await guarded({ body: `return { answer: "cancel", reason: process.execPath };` });
  const place = temporary();
  const [entry, binary] = [join(place, "agent.ts"), join(place, "agent")];
  writeFileSync(entry, PROGRAM);
  const built = Bun.spawnSync([process.execPath, "build", "--compile", `--outfile=${binary}`, entry], { cwd: place });
  expect(built.exitCode, built.stderr.toString()).toBe(0);
  Bun.spawnSync(["chmod", "755", place]); // as root, workers are another user, who must be able to read it
  const said = (...worker: string[]) => {
    const ran = Bun.spawnSync([binary, who.root, who.home.base, ...worker], { cwd: place, env: {}, stderr: "pipe" });
    return [ran.exitCode, ran.stdout.toString().trim(), ran.stderr.toString()];
  };
  const answer = [0, expect.stringMatching(/^file:\.\/guard#g0: \/opt\/hookpkg\/\S+$/), ""];
  expect(said()).toEqual(answer);
  expect(said(process.execPath)).toEqual(answer);
});
