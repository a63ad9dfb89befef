import { join } from "node:path";

/** For tests: the program's bridge in a process of its own, and one who speaks JSON-RPC with it. */

const MAIN = join(import.meta.dir, "..", "main.ts");

export type Message = {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: Record<string, unknown> };
};

export function startBridge(base: string, ...args: string[]) {
  return Bun.spawn([process.execPath, MAIN, "bridge", ...args, "--home", join(base, "home")], {
    cwd: base,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
}

/** Everything that came, and whoever waits for something that may come. */
class Inbox {
  readonly messages: Message[] = [];
  #rest = "";
  #looks = new Set<() => void>();
  readonly #closed = Promise.withResolvers<void>();
  #decoder = new TextDecoder();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  receive(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.messages.push(JSON.parse(line));
    for (const look of this.#looks) look();
  }

  close(): void {
    this.#closed.resolve();
  }

  until(wanted: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.messages.find(wanted);
        if (found === undefined) return;
        this.#looks.delete(look);
        resolve(found);
      };
      this.#looks.add(look);
      look();
    });
  }
}

/** One end of a connection: calls with ids that count up. */
export class Client {
  readonly inbox = new Inbox();
  readonly send: (text: string | Uint8Array) => void;
  #last = 0;

  constructor(send: (text: string | Uint8Array) => void) {
    this.send = send;
  }

  async call(method: string, params?: unknown): Promise<Message> {
    const id = ++this.#last;
    this.send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return this.inbox.until((message) => message.id === id);
  }
}

/** On the stdin and stdout of a bridge. */
export function stdioClient(bridge: ReturnType<typeof startBridge>): Client {
  const client = new Client((text) => {
    bridge.stdin.write(text);
    bridge.stdin.flush();
  });
  void (async () => {
    for await (const chunk of bridge.stdout) client.inbox.receive(chunk);
    client.inbox.close();
  })();
  return client;
}

/** On a socket, once the bridge has said that it listens. */
export async function socketClient(path: string): Promise<Client & { leave: () => void }> {
  const waiting: Uint8Array[] = [];
  const socket = await Bun.connect({
    unix: path,
    socket: {
      data: (_, chunk) => client.inbox.receive(chunk),
      close: () => client.inbox.close(),
      error: () => client.inbox.close(),
      drain: flush,
    },
  });
  function flush(): void {
    for (let bytes = waiting[0]; bytes !== undefined; bytes = waiting[0]) {
      const written = socket.write(bytes);
      if (written < bytes.byteLength) {
        waiting[0] = bytes.subarray(Math.max(0, written));
        return;
      }
      waiting.shift();
    }
  }
  const client = new Client((text) => {
    waiting.push(typeof text === "string" ? new TextEncoder().encode(text) : text);
    if (waiting.length === 1) flush();
  });
  return Object.assign(client, { leave: () => void socket.end() });
}

/** Resolves when the bridge listens; the rest of its stdout is dropped. */
export async function listening(bridge: ReturnType<typeof startBridge>): Promise<void> {
  let text = "";
  const reader = bridge.stdout.getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended: ${text}${await bridge.stderr.text()}`);
    text += new TextDecoder().decode(value);
  }
  reader.releaseLock();
}
