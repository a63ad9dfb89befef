import { eventIn } from "./stage.ts";

/** The same guard in a process of Bun's, without a sandbox, over the plainest pipe. */
export function barePipe(root: string) {
  const child = Bun.spawn([process.execPath, "-e", BARE], { stdio: ["pipe", "pipe", "inherit"] });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let id = 0;
  const ask = async () => {
    child.stdin.write(`${JSON.stringify({ id: ++id, payload: eventIn(root) })}\n`);
    child.stdin.flush();
    let text = "";
    while (!text.includes("\n")) text += decoder.decode((await reader.read()).value);
    return JSON.parse(text) as unknown;
  };
  return { ask, close: () => child.kill() };
}

const BARE = `const { writeSync } = require("fs"); const decoder = new TextDecoder(); let rest = "";
  const judge = (event) => event.tool_input.command?.includes("rm -rf") ? { answer: "cancel", reason: "no" } : { answer: "continue" };
  for await (const chunk of Bun.stdin.stream()) { const lines = (rest + decoder.decode(chunk)).split("\\n"); rest = lines.pop();
    for (const line of lines) { const call = JSON.parse(line); writeSync(1, JSON.stringify({ id: call.id, answer: judge(call.payload) }) + "\\n") } }`;
export const PYTHON_GUARD = `import json, sys
event = json.load(sys.stdin)
if "rm -rf" in event["tool_input"].get("command", ""):
    print("no", file=sys.stderr)
    sys.exit(2)
`;
export const BUN_GUARD = `const event = JSON.parse(await Bun.stdin.text());
if (event.tool_input.command?.includes("rm -rf")) { console.error("no"); process.exit(2); }
`;
