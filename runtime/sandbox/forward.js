// Runs inside the sandbox, before a command that has a network right: what programs take for a proxy is carried to the gateway's socket.
// The command is started from a thread that can open no socket with a path any more; this one was opened before, on another thread.
import { dlopen, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { constants } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const [address, gateway, filterFile, ...command] = process.argv.slice(2);
const [host, port] = address.split(":");

if (isMainThread) {
  closeMemory();
  const carrier = new Worker(import.meta.filename, { argv: process.argv.slice(2) });
  carrier.once("message", () => run());
  carrier.once("error", (error) => fail(String(error)));
} else {
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    const outside = connect({ path: gateway, allowHalfOpen: true });
    const end = () => {
      inside.destroy();
      outside.destroy();
    };
    inside.on("error", end);
    outside.on("error", end);
    inside.pipe(outside);
    outside.pipe(inside);
  });
  server.listen(Number(port), host, () => parentPort.postMessage("ready"));
}

function run() {
  denySockets();
  // biome-ignore lint/style/noProcessEnv: a program of its own, whose environment is the command's
  const { BUN_BE_BUN: _, ...env } = process.env;
  const child = Bun.spawn(command, { stdio: ["inherit", "inherit", "inherit"], env });
  void child.exited.then(() => {
    const signal = child.signalCode === null ? 0 : (constants.signals[child.signalCode] ?? 9);
    exit(signal === 0 ? child.exitCode : 128 + signal);
  });
}

// The command runs as the same user: nobody but the kernel has a look into this process.
function closeMemory() {
  const [PR_SET_DUMPABLE, NO] = [4, 0];
  if (libc().prctl(PR_SET_DUMPABLE, NO, null, 0, 0) !== 0) fail("its memory was not closed");
}

// For this thread and what it starts only: the carrier goes on.
function denySockets() {
  const filter = readFileSync(filterFile);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, filter.byteLength / 8, true);
  program.setBigUint64(8, BigInt(ptr(filter)), true);
  const [PR_SET_SECCOMP, FILTER] = [22, 2];
  if (libc().prctl(PR_SET_SECCOMP, FILTER, ptr(program), 0, 0) !== 0) fail("the filter was not set");
}

function libc() {
  return dlopen("libc.so.6", {
    prctl: { args: ["i32", "u64", "ptr", "u64", "u64"], returns: "i32" },
    _exit: { args: ["i32"], returns: "void" },
  }).symbols;
}

// At once: nothing that runs at an end has anything to do here.
function exit(code) {
  libc()._exit(code);
}

function fail(why) {
  console.error(`hookpkg: no way to the network: ${why}`);
  exit(125);
}
