import { dlopen, ptr, read } from "bun:ffi";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "./hostile.ts";

/** What hostile code is after: files, processes, listeners, keys and memory of this user, each with a word that must not get out. */
export type Canaries = {
  /** Whoever has it has read a canary. */
  token: string;
  base: string;
  /** By the names that the fixtures use. */
  places: Readonly<Record<string, string>>;
  /** What happened to them since the last time, in words; then they are well again. */
  harm(): string[];
  close(): void;
};

export async function openCanaries(): Promise<Canaries> {
  const token = `canary-${randomBytes(8).toString("hex")}`;
  const mark = `9${process.pid}${Math.floor(1e5 + Math.random() * 9e5)}`; // seconds that no sleep of others has
  const base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-abuse-")));
  chmodSync(base, 0o755); // as root the handler is another user: not the mode of a folder may protect it
  const files = filesIn(base, token);
  for (const path of files.keys()) put(path, files.get(path) ?? "");
  const shared = `/dev/shm/hookpkg-${token.slice(-8)}`;
  files.set(shared, `${token}\n`);
  put(shared, `${token}\n`);
  const listeners = await listen(base, token);
  const kernel = keepInKernel(token);
  const corePattern = readFileSync("/proc/sys/kernel/core_pattern", "latin1");
  let victim = sleeper(token);
  const harm = () => {
    const found = [...listeners.reached(), ...kernel.harm()];
    for (const [path, text] of files) if (!isAsItWas(path, text)) found.push(`${path} was changed`);
    for (const path of strangers(base)) found.push(`${path} was planted`);
    for (const [path, text] of files) put(path, text);
    if (victim.exitCode !== null || victim.signalCode !== null) {
      found.push("a process of ours was killed");
      victim = sleeper(token);
    }
    if (readFileSync("/proc/sys/kernel/core_pattern", "latin1") !== corePattern) found.push("core_pattern was changed");
    return found;
  };
  return {
    ...{ token, base, harm },
    places: {
      ...{ HOME: base, PROJECT: join(base, "project"), STATE: join(base, "state"), SHM: shared, MARK: mark },
      ...{ OTHER: join(base, "data/data/abuse/acme/other"), PID: `${victim.pid}`, TMPFILE: join(base, "note.txt") },
      ...{ SOCKETS: join(base, "run"), ABSTRACT: listeners.abstract, TCP: `${listeners.tcp}`, UDP: `${listeners.udp}` },
      ...{ SHMKEY: `${kernel.shmKey}`, KEYNAME: kernel.keyName },
    },
    close() {
      victim.kill("SIGKILL");
      listeners.close();
      kernel.close();
      rmSync(shared, { force: true });
      removeFolder(base);
    },
  };
}

/** Everyone may read and write them, so that only the sandbox keeps a handler away. */
function filesIn(base: string, token: string): Map<string, string> {
  const names = [
    ...[".ssh/id_ed25519", ".bashrc", ".claude/settings.json", ".config/foo/rc", "note.txt", "state/approvals.json"],
    ...["data/data/abuse/acme/other/secret", "cache/sandbox-note"],
    ...["project/.env", "project/.git/hooks/pre-commit", "project/.hookpkg/lock.json"],
    ...["project/.claude/settings.json", "project/package.json", "project/build/package.json", "project/CLAUDE.md"],
  ];
  const secret = names.map((name): [string, string] => [join(base, name), `${token} ${name}\n`]);
  const remote = `[remote "origin"]\n\turl = https://me:${token}@example.com/x.git\n`;
  return new Map([
    ...secret,
    [join(base, "project/.git/config"), remote],
    [join(base, "project/src/a.ts"), "export const a = 1;\n"],
  ]);
}

function put(path: string, text: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && (!found.isFile() || found.nlink > 1)) rmSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o666);
}

function isAsItWas(path: string, text: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return (
    found?.isFile() === true &&
    found.nlink === 1 &&
    (found.mode & 0o7777) === 0o666 &&
    readFileSync(path, "utf8") === text
  );
}

/** Below the home nothing but plain files and folders may appear: a link, pipe, device or set-id file is for the host to trip on. */
function strangers(base: string): string[] {
  const found = pathsBelow(base).filter((path) => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isDirectory()) return false;
    if ([join(base, "run/"), join(base, "data/store/")].some((own) => path.startsWith(own))) return false;
    return !entry.isFile() || (entry.mode & 0o6000) !== 0;
  });
  for (const path of found) rmSync(path, { force: true });
  return found;
}

function pathsBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (path.length > MAX_PATH) return [];
      return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
    });
  } catch {
    return []; // closed to us, or too deep: nobody trips on what nobody reaches
  }
}

const MAX_PATH = 4000;

/** A process of ours with the secret in its environment. */
function sleeper(token: string) {
  return Bun.spawn(["sleep", "86400"], {
    env: { SECRET: token, PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "ignore", "ignore"],
  });
}

async function listen(base: string, token: string) {
  let found: string[] = [];
  const handlers = (name: string) => ({
    open(socket: { write(text: string): number; end(): void }) {
      found.push(`the ${name} listener was reached`);
      socket.write(`${token}\n`);
      socket.end();
    },
    data() {},
  });
  mkdirSync(join(base, "run"));
  const path = join(base, "run/docker.sock");
  const abstract = `hookpkg-${token.slice(-8)}`;
  const tcp = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: handlers("tcp") });
  const others = [
    Bun.listen({ unix: path, socket: handlers("socket file") }),
    Bun.listen({ unix: `\0${abstract}`, socket: handlers("abstract") }),
  ];
  chmodSync(path, 0o777);
  const seen = () => void found.push("the udp listener was reached");
  const udp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0, socket: { data: seen } });
  return {
    ...{ abstract, tcp: tcp.port, udp: udp.port },
    reached: () => found.splice(0),
    close() {
      for (const one of [tcp, ...others]) one.stop(true);
      udp.close();
      found = [];
    },
  };
}

export function leftOvers(mark: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, "latin1").includes(mark) &&
        readlinkSync(`/proc/${name}/exe`) !== ""
      );
    } catch {
      return false; // gone while we looked
    }
  });
}

function keepInKernel(token: string) {
  const { syscall, shmget, shmat, shmctl, memcpy } = dlopen("libc.so.6", {
    syscall: { args: ["i64", "i64", "i64", "i64", "i64", "i64"], returns: "i64" },
    shmget: { args: ["i32", "u64", "i32"], returns: "i32" },
    shmat: { args: ["i32", "ptr", "i32"], returns: "ptr" },
    shmctl: { args: ["i32", "i32", "ptr"], returns: "i32" },
    memcpy: { args: ["ptr", "ptr", "u64"], returns: "ptr" },
  }).symbols;
  const word = (text: string) => ptr(Buffer.from(`${text}\0`));
  const [keyctl, addKey] = process.arch === "arm64" ? [219, 217] : [250, 248];
  const keyName = `hookpkg-${token.slice(-8)}`;
  syscall(keyctl, 1, 0, 0, 0, 0); // KEYCTL_JOIN_SESSION_KEYRING: children inherit it
  syscall(addKey, word("user"), word(keyName), word(token), token.length, -3);
  const shmKey = 0x68000000 + Math.floor(Math.random() * 0xffffff);
  const size = 4096;
  const id = shmget(shmKey, BigInt(size), 0o1666);
  const at = shmat(id, null, 0);
  if (at === null || id < 0) throw new Error("no shared memory");
  const write = () => memcpy(at, word(token), BigInt(token.length));
  write();
  const readBack = () => String.fromCharCode(...Array.from(token, (_, index) => read.u8(at, index)));
  return {
    ...{ keyName, shmKey },
    harm() {
      const isSame = readBack() === token;
      write();
      return isSame ? [] : ["shared memory was changed"];
    },
    close: () => void shmctl(id, 0, null),
  };
}
