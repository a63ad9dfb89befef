import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Home, homeFolders } from "../home.ts";
import { sweepScratch, temporary } from "../test-project.ts";
import { askDaemon, type DaemonEvent, startDaemon, tellDaemon } from "./client.ts";
import { type SocketPlace, socketPlace } from "./socket-place.ts";

setDefaultTimeout(60_000);

const PROGRAM = join(import.meta.dir, "test-daemon.ts");
const uid = process.getuid?.() ?? -1;
const running: { kill(signal: number): void; exited: Promise<number> }[] = [];
const sockets: SocketPlace[] = [];

afterEach(async () => {
  for (const daemon of running.splice(0)) {
    daemon.kill(9);
    await daemon.exited;
  }
  for (const { socket } of sockets.splice(0)) rmSync(socket, { force: true });
  sweepScratch();
});

type Place = { base: string; home: Home; place: SocketPlace };

function freshHome(): Place {
  const base = temporary();
  mkdirSync(join(base, "state"), { mode: 0o700 });
  const home = homeFolders(base);
  const place = socketPlace(home, uid);
  sockets.push(place);
  return { base, home, place };
}

function spawn({ base }: Place, build = "a", words = [process.execPath]) {
  const daemon = Bun.spawn([...words, PROGRAM, base, build], { stdio: ["ignore", "ignore", "inherit"] });
  running.push(daemon);
  return daemon;
}

async function up(at: Place, build = "a", words?: string[]) {
  const daemon = spawn(at, build, words);
  await until(() => existsSync(at.place.socket));
  return daemon;
}

const event = (told: object, env: DaemonEvent["env"] = {}): DaemonEvent => ({
  ...{ host: "native", project: undefined, env },
  event: Buffer.from(JSON.stringify(told)),
});
const ask = ({ home }: Place, told: object, build = "a") => askDaemon(home, build, event(told));
const heard = ({ base }: Place) => (existsSync(join(base, "events")) ? readFileSync(join(base, "events"), "utf8") : "");

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10);
}

/** Only root can be another user; elsewhere these two say that they were not tried. */
const asAnother = (name: string, work: () => Promise<void>): void => {
  if (uid === 0) test(name, work);
  else console.warn(`not tried, because it takes root to be another user: ${name}`);
};

describe("a daemon", () => {
  test("answers, in a folder and on a socket that are this user's alone", async () => {
    const at = freshHome();
    await up(at);
    expect(await ask(at, { say: "hello" })).toEqual({ exit: 0, stdout: "hello", stderr: "" });
    expect(lstatSync(at.place.folder).mode & 0o777).toBe(0o700);
    expect(lstatSync(at.place.socket).mode & 0o777).toBe(0o600);
    expect(await tellDaemon(at.home, "a", "status")).toMatchObject({ status: { events: 1, busy: 0, build: "a" } });
  });

  test("gets variables that every judge needs, others when it asks for them, and no more", async () => {
    const at = freshHome();
    await up(at);
    const env = { CLAUDE_PROJECT_DIR: "/p", MY_TOKEN: "t", EDITOR: "vi", LOGNAME: "me" };
    const said = await askDaemon(at.home, "a", event({ ask: ["EDITOR", "ABSENT", "constructor"] }, env));
    expect(said).toMatchObject({ stdout: JSON.stringify({ CLAUDE_PROJECT_DIR: "/p", MY_TOKEN: "t", EDITOR: "vi" }) });
  });

  test("sends long answers whole; long events are not for it", async () => {
    const at = freshHome();
    await up(at);
    const said = await ask(at, { say: "xyz", times: 1_000_000 });
    expect(typeof said === "string" ? said : said.stdout.length).toBe(3_000_000);
    expect(await ask(at, { say: "x".repeat(2_000_000) })).toBe("large");
    expect(heard(at)).toBe("xyz\n");
  });

  test("sixteen sessions at once, one of them slow, some long: each gets its own answer", async () => {
    const at = freshHome();
    await up(at);
    const gate = join(at.base, "gate");
    const slow = ask(at, { say: "slow", until: gate });
    const sessions = Array.from({ length: 16 }, (_, n) => `${n} `.padEnd(n % 4 === 0 ? 900_000 : 10, "x"));
    const answers = await Promise.all(sessions.map((say) => ask(at, { say })));
    expect(answers).toEqual(sessions.map((stdout) => ({ exit: 0, stdout, stderr: "" })));
    writeFileSync(gate, "");
    expect(await slow).toMatchObject({ stdout: "slow" });
  });

  test("stops when it is told to, after what is under way", async () => {
    const at = freshHome();
    const daemon = await up(at);
    const gate = join(at.base, "gate");
    const last = ask(at, { say: "last", until: gate });
    await until(() => heard(at) === "last\n");
    expect(await tellDaemon(at.home, "a", "stop")).toEqual({ stopping: 1 });
    await until(() => !existsSync(at.place.socket));
    expect(await ask(at, { say: "later" })).toBe("absent");
    writeFileSync(gate, "");
    expect(await last).toMatchObject({ stdout: "last" });
    expect(await daemon.exited).toBe(0);
  });

  test("leaves when its home is gone", async () => {
    const at = freshHome();
    const daemon = await up(at);
    rmSync(at.base, { recursive: true });
    expect(await daemon.exited).toBe(0);
    expect(existsSync(at.place.socket)).toBe(false);
  });

  test("does not mind what is no client of ours", async () => {
    const at = freshHome();
    await up(at);
    for (const bytes of ["garbage\n", "{}\n", '{"v":1,"verb":"approve"}\n', "\xff\n", "\n\n\n", "x".repeat(9_000_000)])
      await until(await rawClient(at.place.socket, Buffer.from(bytes, "latin1")));
    expect(await ask(at, { say: "still here" })).toMatchObject({ stdout: "still here" });
  });

  test("one at a time: a second one waits, and takes over from one that was killed", async () => {
    const at = freshHome();
    const first = await up(at);
    spawn(at, "a");
    expect(await ask(at, { say: "one" })).toMatchObject({ stdout: "one" });
    first.kill(9);
    await first.exited;
    await until(async () => typeof (await ask(at, { say: "two" })) !== "string");
  });
});

describe("a client judges by itself when", () => {
  test("there is none, or only a dead one's socket", async () => {
    const at = freshHome();
    expect(await ask(at, { say: "x" })).toBe("absent");
    const daemon = await up(at);
    daemon.kill(9);
    await daemon.exited;
    expect(existsSync(at.place.socket)).toBe(true);
    expect(await ask(at, { say: "x" })).toBe("absent");
    spawn(at);
    await until(async () => typeof (await ask(at, { say: "x" })) !== "string");
  });

  test("it is killed while it works, or fails", async () => {
    const at = freshHome();
    const daemon = await up(at);
    const asked = ask(at, { say: "x", until: join(at.base, "never") });
    await until(() => heard(at) === "x\n");
    daemon.kill(9);
    expect(await asked).toBe("silent");
    await daemon.exited;
    await up({ ...at, place: { ...at.place, socket: at.base } });
    await until(async () => (await ask(at, { fail: true })) === "silent");
    expect(await ask(at, { say: "y" })).toMatchObject({ stdout: "y" });
  });

  test("it hangs: nothing was said to it", async () => {
    const at = freshHome();
    const daemon = await up(at);
    daemon.kill(19);
    expect(await ask(at, { say: "x" })).toBe("silent");
    daemon.kill(18);
    expect(await ask(at, { say: "y" })).toMatchObject({ stdout: "y" });
    expect(heard(at)).toBe("y\n");
  });

  test("another build answers, which is told to stop and hears nothing of the event", async () => {
    const at = freshHome();
    const daemon = await up(at, "b");
    expect(await ask(at, { say: "secret" })).toBe("other-build");
    expect(await daemon.exited).toBe(0);
    expect(heard(at)).toBe("");
  });

  test("another program answers, whatever build it says it is", async () => {
    const at = freshHome();
    const other = join(temporary(), "bun");
    copyFileSync(process.execPath, other);
    chmodSync(other, 0o755);
    await up(at, "a", [other]);
    expect(await ask(at, { say: "secret" })).toBe("other-build");
    expect(heard(at)).toBe("");
  });

  asAnother("another user answers", async () => {
    const at = freshHome();
    const open = temporary();
    chmodSync(open, 0o777);
    const path = join(open, "socket");
    const words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, "-e"];
    const text = `Bun.listen({ unix: ${JSON.stringify(path)}, socket: { open(s) { s.write('{"v":1,"build":"a"}\\n') }, data(s, d) { require("fs").writeFileSync(${JSON.stringify(`${path}.heard`)}, d) } } })`;
    running.push(Bun.spawn([...words, text], { cwd: "/", stdio: ["ignore", "ignore", "inherit"] }));
    await until(() => existsSync(path));
    symlinkSync(path, at.place.socket);
    expect(await ask(at, { say: "secret" })).toBe("foreign");
    expect(existsSync(`${path}.heard`)).toBe(false);
  });

  asAnother("another user asks: it is told nothing", async () => {
    const at = freshHome();
    await up(at);
    const open = temporary();
    chmodSync(open, 0o755);
    linkSync(at.place.socket, join(open, "socket"));
    chmodSync(at.place.socket, 0o666);
    const text = `let said = ""; const end = () => { console.log("said:" + said); process.exit() }; Bun.connect({ unix: ${JSON.stringify(join(open, "socket"))}, socket: { data(s, d) { said += d }, close: end, connectError: end } }).catch(end)`;
    const words = [
      "/usr/bin/setpriv",
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      process.execPath,
      "-e",
      text,
    ];
    const client = Bun.spawn(words, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    expect(await client.stdout.text()).toBe("said:\n");
  });

  test("the folder of its socket is another's", () => {
    const { home } = freshHome();
    const folder = "/tmp/hookpkg-4000000";
    try {
      expect(codeOf(() => socketPlace(home, 4_000_000))).toBe("E_DAEMON_FOLDER"); // made by us, not by that user
      rmSync(folder, { recursive: true });
      symlinkSync(temporary(), folder);
      expect(codeOf(() => socketPlace(home, 4_000_000))).toBe("E_DAEMON_FOLDER");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function codeOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return isFault(error) ? error.code : "";
  }
}

test("many events at once start one daemon, in a session of its own, with an empty environment", async () => {
  const at = freshHome();
  process.env.HOOKPKG_TEST_MARK = "1";
  for (let n = 0; n < 16; n++) startDaemon(at.home, [process.execPath, PROGRAM, at.base, "a"]);
  process.env.HOOKPKG_TEST_MARK = "";
  await until(async () => typeof (await ask(at, { say: "x" })) !== "string");
  const { status } = (await tellDaemon(at.home, "a", "status")) as { status: { pid: number } }; // our own build wrote it
  running.push({ kill: (signal) => process.kill(status.pid, signal), exited: Promise.resolve(0) });
  expect(readFileSync(`/proc/${status.pid}/environ`, "utf8")).not.toContain("HOOKPKG_TEST_MARK");
  const [, , session] = readFileSync(`/proc/${status.pid}/stat`, "latin1")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(1);
  expect(Number(session)).toBe(status.pid);
  const all = Bun.spawnSync(["/usr/bin/pgrep", "-f", `${PROGRAM} ${at.base}`]).stdout.toString();
  expect(all.trim().split("\n")).toEqual([`${status.pid}`]);
});

/** Sends bytes and waits for the end of the connection. */
async function rawClient(path: string, bytes: Uint8Array): Promise<() => boolean> {
  let isOver = false;
  let rest = bytes;
  const push = (socket: { write(bytes: Uint8Array): number }) => {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
  };
  await Bun.connect({
    unix: path,
    socket: {
      open: push,
      drain: push,
      data() {},
      close() {
        isOver = true;
      },
    },
  });
  return () => isOver;
}
