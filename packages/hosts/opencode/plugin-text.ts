import { asRecord } from "../host-input.ts";

/**
 * The plugin that stands in opencode and asks hookpkg through the commands that other hosts have as entries. It is text that opencode
 * loads, and imports nothing but what is in every such runtime.
 */
export function pluginText(
  mark: string,
  commands: Readonly<Record<string, string>>,
  timeouts: Readonly<Record<string, number>>,
): string {
  return `// ${mark}
import { spawn } from "node:child_process";

const COMMANDS = ${JSON.stringify(commands, null, 2)};
const TIMEOUT_S = ${JSON.stringify(timeouts)};
const TOO_LARGE = 16 * 1024 * 1024;
${PLUGIN}`;
}

/** The command that such a text has for an event. */
export function pluginCommand(text: string, event: string): string | undefined {
  const [, commands = ""] = /^const COMMANDS = (\{\n[\s\S]*?\n\});$/m.exec(text) ?? [];
  try {
    const command = asRecord(JSON.parse(commands))?.[event];
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined; // somebody made it their own
  }
}

const PLUGIN = String.raw`const GUARDED = ["tool.execute.before", "permission.ask"];

/** What hookpkg answers; { deny } as well when it could not be asked before something that it guards. */
function ask(event, payload) {
  return new Promise((resolve) => {
    const failed = (why) =>
      resolve(GUARDED.includes(event) ? { deny: "hookpkg did not answer, so this is refused: " + why } : {});
    const child = spawn("/bin/sh", ["-c", COMMANDS[event]], { cwd: payload.cwd, stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_S[event] * 1000);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8");
      child[name].on("data", (text) => {
        said[name] += text;
        if (said[name].length > TOO_LARGE) child.kill("SIGKILL");
      });
    }
    child.stdin.on("error", () => {});
    child.on("error", (error) => failed(error.message));
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 2) return resolve({ deny: said.stderr.trim() || "refused by hookpkg" });
      if (code !== 0) return failed("it ended with " + code);
      if (said.stdout.trim() === "") return resolve({});
      try {
        resolve(JSON.parse(said.stdout));
      } catch {
        failed("its answer is no JSON");
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }));
  });
}

function tell(answer) {
  const text = answer.person ?? answer.systemMessage;
  if (text) process.stderr.write(text + "\n");
}

export const Hookpkg = async ({ directory }) => {
  const contexts = new Map();
  const call = (input, args) => ({
    session_id: input.sessionID,
    cwd: directory,
    tool_name: input.tool,
    tool_use_id: input.callID,
    tool_input: args ?? {},
  });
  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask("tool.execute.before", call(input, output.args));
      tell(answer);
      if (answer.deny) throw new Error(answer.deny);
      if (answer.args) {
        for (const key of Object.keys(output.args)) delete output.args[key];
        Object.assign(output.args, answer.args);
      }
      if (answer.context) contexts.set(input.callID, answer.context);
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask("tool.execute.after", { ...call(input, input.args), tool_response: output.output });
      tell(answer);
      const before = contexts.get(input.callID);
      contexts.delete(input.callID);
      if (typeof answer.output === "string") {
        output.output = answer.output;
        output.title = "";
        output.metadata = {};
      }
      const words = [before, answer.context].filter(Boolean);
      if (words.length > 0) output.output = [output.output, ...words].join("\n\n");
    },
    "permission.ask": async (input, output) => {
      const name = input.type ?? input.permission ?? "unknown";
      const answer = await ask("permission.ask", {
        session_id: input.sessionID,
        cwd: directory,
        tool_name: name,
        tool_use_id: input.callID,
        tool_input: input.metadata ?? {},
      });
      tell(answer);
      if (answer.deny) output.status = "deny";
      else if (answer.status) output.status = answer.status;
    },
    "chat.message": async (input, output) => {
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const last = texts.at(-1);
      if (!last) return;
      const prompt = texts.map((part) => part.text).join("\n");
      const answer = await ask("chat.message", { session_id: input.sessionID, cwd: directory, prompt });
      tell(answer);
      if (answer.deny) throw new Error(answer.deny);
      if (answer.prompt !== undefined) {
        for (const part of texts) part.text = "";
        last.text = answer.prompt;
      }
      if (answer.context) last.text += "\n\n" + answer.context;
    },
    event: async ({ event }) => {
      if (!(event.type in COMMANDS)) return;
      const { sessionID, info } = event.properties;
      const session_id = sessionID ?? info?.id;
      if (!session_id) return;
      const source = event.type === "session.created" ? { source: "startup" } : {};
      tell(await ask(event.type, { session_id, cwd: directory, ...source }));
    },
  };
};
`;
