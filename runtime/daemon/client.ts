import { unlinkSync, writeFileSync } from "node:fs";
import type { Home } from "../home.ts";
import { LINKED, Link } from "./link.ts";
import { peerOf, runsOurProgram } from "./peer.ts";
import { socketPlace } from "./socket-place.ts";

// Hosts start this program on every event, and this is the whole of what it does then: nothing heavy is imported here.

/** One event for the daemon: the host's own bytes. */
export type DaemonEvent = {
  host: string;
  event: Uint8Array;
  project: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
};

/** What a host is answered. */
export type DaemonReply = { exit: number; stdout: string; stderr: string };

/** Why there is no daemon to ask; `other-build` has one that another version of this program started. */
export type Unreachable = "absent" | "foreign" | "other-build" | "silent";

/** Larger events are judged by the process that the host started: they would hold up everybody else's. */
const MAX_EVENT_BYTES = 1024 * 1024;
const GREETING_MS = 500;
/** While it works the daemon says so every second. */
const SILENCE_MS = 5000;

/**
 * The daemon's reply to one event; undefined whenever anything about the daemon is not as it should be: then the caller judges the
 * event itself.
 */
export async function askDaemon(
  home: Home,
  build: string,
  asked: DaemonEvent,
): Promise<DaemonReply | Unreachable | "large"> {
  if (asked.event.byteLength > MAX_EVENT_BYTES) return "large";
  const link = await reach(home, build);
  if (typeof link === "string") return link;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(asked.event);
    const env = sentAlways(asked.env);
    const { host, project } = asked;
    link.send({ v: 1, verb: "dispatch", host, event: text, env, ...(project === undefined ? {} : { project }) });
    for (;;) {
      const said = await link.next(SILENCE_MS);
      if (isReply(said)) return said.reply;
      if (isQuestion(said)) link.send({ env: valuesOf(asked.env, said.ask) });
      else if (!isBeat(said)) return "silent";
    }
  } catch {
    return "silent";
  } finally {
    link.close();
  }
}

/** `status` and `stop`. */
export async function tellDaemon(home: Home, build: string, verb: "status" | "stop"): Promise<unknown> {
  const link = await reach(home, build);
  if (typeof link === "string") return link;
  link.send({ v: 1, verb });
  const said = await link.next(SILENCE_MS);
  link.close();
  return said ?? "silent";
}

/**
 * A link to the daemon of this home, after its uid, its program and its build were looked at: nothing is said to anybody else. One of
 * ours with another build is told to stop, which changes nothing but who answers next.
 */
async function reach(home: Home, build: string): Promise<Link | Unreachable> {
  const uid = process.getuid?.() ?? -1;
  try {
    const { socket } = socketPlace(home, uid);
    const opened = await Bun.connect<{ link: Link }>({
      unix: socket,
      data: { link: undefined as never },
      socket: SOCKET,
    });
    const { link } = opened.data;
    const peer = peerOf(opened);
    if (peer?.uid !== uid) {
      link.close();
      return "foreign";
    }
    const said = await link.next(GREETING_MS);
    const isOurs = runsOurProgram(peer.pid);
    if (isOurs && isGreeting(said) && said.build === build) return link;
    if (isGreeting(said)) link.send({ v: 1, verb: "stop" });
    link.end();
    if (isGreeting(said)) return "other-build";
    return isOurs ? "silent" : "foreign";
  } catch {
    return "absent";
  }
}

const SOCKET = {
  ...LINKED,
  open(socket: Parameters<typeof LINKED.drain>[0]) {
    socket.data = { link: new Link(socket) };
  },
};

/** A starter's mark older than this is of one that did not come up. */
const START_MS = 10_000;

/** Starts the daemon, in a session of its own, in no folder, with nothing of our environment. One caller at a time does. */
export function startDaemon(home: Home, words: readonly string[]): void {
  try {
    const place = socketPlace(home, process.getuid?.() ?? -1);
    if (!mark(place.mark)) return;
    const child = Bun.spawn([...words], {
      ...{ env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" }, cwd: "/", detached: true },
      stdio: ["ignore", "ignore", "ignore"],
    });
    child.unref();
  } catch {
    // Events are answered without one.
  }
}

function mark(file: string): boolean {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    if (Date.now() - (Bun.file(file).lastModified || 0) < START_MS) return false;
    unlinkSync(file);
    return false; // the next event's caller starts it
  }
}

/** Names that every event's judge needs: the hosts' project folders, which host it is and of which version, and what must never be written down anywhere. */
const ALWAYS =
  /^(?:CLAUDE|GEMINI|QWEN|COPILOT|CODEX|CURSOR)_PROJECT_DIR$|^(?:CLAUDECODE|CLAUDE_HOOK_EVENT_NAME|AI_AGENT|QWEN_CODE_STARTUP_VERSION)$|TOKEN|KEY|SECRET|PASSW|CREDENTIAL/i;

function sentAlways(env: DaemonEvent["env"]): Record<string, string> {
  return valuesOf(env, Object.keys(env).filter(isSentAlways));
}

/** Written out, and held against the adapters by a test: they are not loaded here. */
export function isSentAlways(name: string): boolean {
  return ALWAYS.test(name);
}

function valuesOf(env: DaemonEvent["env"], names: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = typeof name === "string" && Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

// The other end runs our own program, and was looked at: these tell its messages apart, nothing more.
function isGreeting(said: unknown): said is { v: 1; build: string } {
  return isRecord(said) && said.v === 1 && typeof said.build === "string";
}

function isReply(said: unknown): said is { reply: DaemonReply } {
  if (!isRecord(said) || !isRecord(said.reply)) return false;
  const { exit, stdout, stderr } = said.reply;
  return Number.isInteger(exit) && typeof stdout === "string" && typeof stderr === "string";
}

function isQuestion(said: unknown): said is { ask: unknown[] } {
  return isRecord(said) && Array.isArray(said.ask);
}

function isBeat(said: unknown): boolean {
  return isRecord(said) && said.beat === 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
