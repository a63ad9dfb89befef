import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./test-run.ts";

// What is installed is one compiled file. Inside the sandbox that same file is the Bun that runs the bootstrap.
test("a compiled hookpkg is its own worker", () => {
  const place = folder();
  chmodSync(place, 0o755);
  const entry = join(place, "main.ts");
  writeFileSync(entry, PROGRAM);
  const built = Bun.spawnSync([process.execPath, "build", ...FLAGS, `--outfile=${join(place, "hookpkg")}`, entry], {
    cwd: place,
  });
  expect(built.stderr.toString()).not.toContain("error");
  const ran = Bun.spawnSync([join(place, "hookpkg"), place], { cwd: place, env: {}, stderr: "inherit" });
  expect(JSON.parse(ran.stdout.toString())).toMatchObject({
    ...{ outcome: "answered", answer: { answer: "cancel" } },
    answer: { reason: "/opt/hookpkg/hookpkg runs /plugin/guard.ts" },
    denied: ["net evil.example:443: not declared"],
  });
}, 120_000);

const FLAGS = [
  ...["--compile", "--bytecode", "--format=esm", "--minify"],
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
];

const runtime = join(import.meta.dir, "..");
const GUARD = `import { cancel } from "@hookpkg/sdk";
  export default (event: unknown) => cancel(process.execPath + " runs " + import.meta.path);`;
const PROGRAM = `
  import { writeSync } from "node:fs";
  import { runHandler } from ${JSON.stringify(join(runtime, "run/run-handler.ts"))};
  import { checkSandbox } from ${JSON.stringify(join(runtime, "sandbox/self-test.ts"))};
  const place = process.argv[2] ?? "";
  const sandbox = await checkSandbox({ worker: process.execPath, cache: place + "/cache/self-test", uid: process.getuid?.() ?? -1 });
  const handler = { id: "g", event: "PreToolUse", matcher: null, if: [], may: ["cancel"], timeoutMs: 20000, failMode: "open", once: false, async: false,
    answers: "lenient", outputLimit: 1000, before: [], after: [], run: { type: "module", path: "guard.ts", export: "default", isolate: "worker" } } as const;
  const capabilities = { project: "none", read: [], write: [], net: [], env: [], model: false, limits: { memoryMiB: 512, dataMiB: 64 } } as const;
  const files = [{ path: "guard.ts", executable: false, bytes: new TextEncoder().encode(${JSON.stringify(GUARD)}) }];
  const payload = { hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd: "/", tool_name: "Bash", tool_input: { command: "ls" } } as const;
  const call = { payload, options: {}, env: {}, host: "native", home: "/nonexistent", dataFolder: place + "/data", recheck: false };
  const judged = await runHandler({ handler, capabilities, files }, call, { sandbox, hidden: [] });
  const asking = { ...handler, run: { type: "command", shell: "curl -s https://evil.example/" } } as const;
  const online = { ...capabilities, net: ["api.example.com:443"] };
  const { denied } = await runHandler({ handler: asking, capabilities: online, files }, call, { sandbox, hidden: [] });
  writeSync(1, JSON.stringify({ ...judged, denied }));
`;
