import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gate, homeFolders, runChain, sandboxOf } from "@hookpkg/runtime";
import type { Payload } from "@hookpkg/spec";
import { asApproved, openScene, PROJECT, removeFolder } from "./hostile.ts";

/** What this process finds: whether there is a sandbox, and what became of an action that an approved closed guard stands before. */
export type Finding = { code: string | null; effect: unknown; outcome: unknown };

const base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-unavailable-")));
mkdirSync(join(base, "project"));
const sandbox = await sandboxOf(homeFolders(base), process.execPath);
const scene = openScene(base, join(base, "project"));
const files = { "guard.ts": "export default () => undefined;\n" };
const approved = await asApproved(scene, { run: { type: "module", module: "./guard.ts" }, files });
const payload: Payload = {
  ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd: scene.root },
  ...{ tool_name: "Bash", tool_input: { command: "ls" } },
};
const told = scene.engine.run({ payload, host: "native", canAsk: true }, { id: PROJECT, root: scene.root });
const { entries } = await runChain(await gate(scene.home, [approved]), payload, { run: told });
const code = sandbox.available ? null : sandbox.fault.code;
const finding: Finding = { code, effect: entries[0]?.effect, outcome: entries[0]?.outcome };
removeFolder(base);
console.log(JSON.stringify(finding));
process.exit(0);
