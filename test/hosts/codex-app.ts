// bun codex-app.ts <project> <model> <prompt> <codex> [args…]: one turn through codex's app server, which asks before each call as it asks a
// person: trusts all hooks, agrees to nothing that it is asked, and ends with the turn.
const [project = "", model = "", prompt = "", ...command] = process.argv.slice(2);

type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown };
type Hook = { key: string; currentHash: string };

const server = Bun.spawn(command, { cwd: project, stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map<number, (message: Message) => void>();
const { promise: ended, resolve: end } = Promise.withResolvers<void>();
void read();

await ask("initialize", { clientInfo: { name: "test", title: "test", version: "1.0.0" }, capabilities: null });
tell({ method: "initialized" });
const { data } = (await ask("hooks/list", { cwds: [project] })) as { data: { hooks: Hook[] }[] };
const trusted = data.flatMap(({ hooks }) => hooks).map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
const edit = { keyPath: "hooks.state", mergeStrategy: "upsert", value: Object.fromEntries(trusted) };
await ask("config/batchWrite", { edits: [edit], reloadUserConfig: true });
const asking = {
  cwd: project,
  model,
  modelProvider: "mock",
  approvalPolicy: "untrusted",
  sandbox: "danger-full-access",
};
const { thread } = (await ask("thread/start", asking)) as { thread: { id: string } };
await ask("turn/start", { threadId: thread.id, input: [{ type: "text", text: prompt, text_elements: [] }] });
await ended;
server.kill();
process.exit(0);

function tell(message: Message): void {
  server.stdin.write(`${JSON.stringify(message)}\n`);
  void server.stdin.flush();
}

async function ask(method: string, params: unknown): Promise<unknown> {
  const id = waiting.size + 1;
  const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
  tell({ id, method, params });
  const { result, error } = await answered;
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

async function read(): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of server.stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  }
  end();
}

function take(message: Message): void {
  console.log(JSON.stringify(message));
  if (message.method === undefined) waiting.get(message.id ?? 0)?.(message);
  else if (message.id !== undefined) tell({ id: message.id, result: { decision: "decline" } });
  else if (message.method === "turn/completed") end();
}
