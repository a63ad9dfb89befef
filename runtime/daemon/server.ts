import { chmodSync, closeSync, constants, existsSync, lstatSync, openSync, rmSync, unlinkSync } from "node:fs";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { tryLock } from "../sandbox/descriptor.ts";
import type { DaemonReply } from "./client.ts";
import { LINKED, Link } from "./link.ts";
import { peerOf } from "./peer.ts";
import { socketPlace } from "./socket-place.ts";

/** One event as a client sent it. `env` has what every judge needs; `more` asks the client for other names. */
export type Asked = {
  host: string;
  project?: string;
  event: Uint8Array;
  env: Readonly<Record<string, string>>;
  more(names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** The process that asks, which the host has started. */
  pid: number;
};

export type DaemonOptions = {
  home: Home;
  build: string;
  answer: (asked: Asked) => Promise<DaemonReply>;
  /** Facts for `status`, beside the daemon's own. */
  facts: () => Record<string, number>;
  /** How long it stays without an event, in milliseconds. */
  idleMs?: number;
};

const MAX_LINKS = 256;
const REQUEST_MS = 5000;
const BEAT_MS = 1000;
const LOOK_MS = 2000;
const LOCK_LOOK_MS = 20;
const IDLE_MS = 30 * 60 * 1000;
/** Calls under way may end before a stopped daemon goes. */
const MAX_FAREWELL_MS = 10_000;

/**
 * Answers events of this home's hosts until it is told to stop, is idle for long, or its home or socket is gone. E_DAEMON_RUNNING when
 * another one does already: a lock that the kernel holds says so, and a socket without it is a dead one's.
 */
export async function serveDaemon(options: DaemonOptions): Promise<void> {
  process.umask(0o077);
  const uid = process.getuid?.() ?? -1;
  const place = socketPlace(options.home, uid);
  const lock = openSync(place.lock, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  // One that was told to stop ends its calls first.
  for (let waited = 0; !tryLock(lock); waited += LOCK_LOOK_MS) {
    if (waited < MAX_FAREWELL_MS) {
      await Bun.sleep(LOCK_LOOK_MS);
      continue;
    }
    closeSync(lock);
    rmSync(place.mark, { force: true });
    throw refuse("E_DAEMON_RUNNING", { socket: place.socket });
  }
  rmSync(place.socket, { force: true });
  const service = new Service(options, uid);
  const listener = Bun.listen<{ link: Link }>({ unix: place.socket, socket: service.sockets });
  chmodSync(place.socket, 0o600);
  rmSync(place.mark, { force: true });
  const own = inode(place.socket);
  const isOver = () => !existsSync(options.home.state) || inode(place.socket) !== own;
  const watch = setInterval(() => (isOver() || service.isIdle()) && service.stop(), LOOK_MS);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => service.stop());
  await service.stopped;
  clearInterval(watch);
  if (inode(place.socket) === own) unlinkSync(place.socket);
  listener.stop(false);
  closeSync(lock);
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, MAX_FAREWELL_MS);
  await Promise.race([service.finished(), patience.promise]);
  clearTimeout(timer);
}

const values = z.record(z.string().max(1000), z.string().max(1_000_000));
const request = z.discriminatedUnion("verb", [
  z.strictObject({
    ...{ v: z.literal(1), verb: z.literal("dispatch"), host: z.string().max(100), event: z.string(), env: values },
    project: z.string().max(4096).optional(),
  }),
  z.strictObject({ v: z.literal(1), verb: z.literal("status") }),
  z.strictObject({ v: z.literal(1), verb: z.literal("stop") }),
]);
const answerEnv = z.strictObject({ env: values });

class Service {
  readonly stopped: Promise<void>;
  stop: () => void = () => {};
  readonly sockets;
  readonly #options: DaemonOptions;
  readonly #work = new Set<Promise<void>>();
  readonly #since = Date.now();
  #links = 0;
  #events = 0;
  #lastAt = performance.now();

  constructor(options: DaemonOptions, uid: number) {
    this.#options = options;
    this.stopped = new Promise((resolve) => {
      this.stop = resolve;
    });
    this.sockets = {
      ...LINKED,
      open: (socket: Parameters<typeof LINKED.drain>[0]) => {
        const link = new Link(socket);
        socket.data = { link };
        this.#links++;
        const peer = peerOf(socket);
        if (peer?.uid !== uid || this.#links > MAX_LINKS) link.close();
        else this.#begin(link, peer.pid);
      },
      close: (socket: Parameters<typeof LINKED.drain>[0]) => {
        this.#links--;
        LINKED.close(socket);
      },
    };
  }

  isIdle(): boolean {
    return this.#work.size === 0 && performance.now() - this.#lastAt > (this.#options.idleMs ?? IDLE_MS);
  }

  async finished(): Promise<void> {
    await Promise.all(this.#work);
  }

  #begin(link: Link, pid: number): void {
    const work = this.#serve(link, pid)
      .catch(() => link.close())
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #serve(link: Link, pid: number): Promise<void> {
    link.send({ v: 1, build: this.#options.build });
    const read = request.safeParse(await link.next(REQUEST_MS));
    if (!read.success) return link.close();
    if (read.data.verb === "dispatch") await this.#dispatch(link, pid, read.data);
    else if (read.data.verb === "status") link.send(this.#status());
    else {
      link.send({ stopping: 1 });
      setTimeout(this.stop);
    }
    link.end();
  }

  async #dispatch(link: Link, pid: number, { host, event, env, project }: Dispatch): Promise<void> {
    this.#events++;
    const beat = setInterval(() => link.send({ beat: 1 }), BEAT_MS);
    try {
      const reply = await this.#options.answer({
        ...{ host, event: new TextEncoder().encode(event), env, pid, more: (names) => askMore(link, names) },
        ...(project === undefined ? {} : { project }),
      });
      link.send({ reply });
    } finally {
      clearInterval(beat);
      this.#lastAt = performance.now();
    }
  }

  #status(): object {
    const { pid } = process;
    const sinceMs = Date.now() - this.#since;
    const facts = { pid, sinceMs, events: this.#events, busy: this.#work.size - 1 };
    return { status: { ...facts, build: this.#options.build, ...this.#options.facts() } };
  }
}

type Dispatch = Extract<z.infer<typeof request>, { verb: "dispatch" }>;

async function askMore(link: Link, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  link.send({ ask: names });
  const read = answerEnv.safeParse(await link.next(REQUEST_MS));
  if (!read.success) throw refuse("E_DAEMON_CLIENT", {});
  return read.data.env;
}

function inode(path: string): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() ? found.ino : undefined;
}
