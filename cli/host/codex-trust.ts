import { z } from "zod";

const listed = z.object({
  data: z.array(
    z.object({
      hooks: z.array(
        z.object({
          key: z.string().max(5000),
          eventName: z.string().max(100),
          command: z.string().nullish(),
          currentHash: z.string().max(300).nullish(),
          enabled: z.boolean(),
          trustStatus: z.string().max(50),
        }),
      ),
    }),
  ),
});
const answer = z.object({ id: z.literal(2), result: listed });

/** What Codex itself thinks of a hook of ours. */
export type CodexHook = { event: string; command: string; hash: string; trust: string; enabled: boolean };

export type CodexAsked = {
  program: string;
  /** The person's home, where its settings are. */
  home: string;
  /** The project whose hooks are listed besides the person's. */
  cwd: string;
  path: string;
  /** The commands that are ours. */
  commands: readonly string[];
};

/** A slow start of Codex is a second. */
const MAX_WAIT_MS = 15_000;
const MAX_LINE_CHARS = 4 * 1024 * 1024;

/**
 * Asks Codex's own app-server which of our hooks it trusts. Nothing is written: trust is the person's to give. undefined: it could not be
 * asked.
 */
export async function askCodex({ program, home, cwd, path, commands }: CodexAsked): Promise<CodexHook[] | undefined> {
  const child = Bun.spawn([program, "app-server"], {
    cwd,
    env: { HOME: home, PATH: path },
    stdio: ["pipe", "pipe", "ignore"],
    timeout: MAX_WAIT_MS,
    killSignal: "SIGKILL",
  });
  try {
    const clientInfo = { name: "hookpkg", version: "1" };
    for (const message of [
      { id: 1, method: "initialize", params: { clientInfo } },
      { method: "initialized" },
      { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
    ])
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await child.stdin.flush();
    const { data } = await answered(child.stdout);
    return data
      .flatMap(({ hooks }) => hooks)
      .filter(({ command }) => command && commands.includes(command))
      .map(({ eventName, command, currentHash, trustStatus, enabled }) => ({
        event: eventName,
        command: command ?? "",
        hash: currentHash ?? "",
        trust: trustStatus,
        enabled,
      }));
  } catch {
    return undefined;
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function answered(stream: ReadableStream<Uint8Array>): Promise<z.infer<typeof listed>> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const found = answer.safeParse(JSON.parse(line));
      if (found.success) return found.data.result;
    }
    if (text.length > MAX_LINE_CHARS) break;
  }
  throw new Error("codex ended before it answered");
}
