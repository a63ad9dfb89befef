// bun inside.ts <model's socket> <mounts as JSON> <program> [args…]: the first process of a host's namespaces. Makes a network of
// loopback only in which the model answers and every name is unknown, runs the host there and ends with its exit code.
// Whatever the host left behind ends with this process.
import { dlopen, ptr } from "bun:ffi";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { MODEL_PORT } from "./namespace.ts";

const [socket = "", mounts = "{}", ...command] = process.argv.slice(2);

raiseLoopback();
// Without a resolv.conf a name server on loopback is what is asked anyway.
for (const [place, shown] of Object.entries<string>(JSON.parse(mounts))) if (existsSync(place)) mount(shown, place);
await serveModel();
await serveUnknownNames();
// The pipe breaks when the test is gone: nobody waits for the host any more.
process.stdin.on("end", () => process.exit(1)).resume();
const host = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
process.exit(await host.exited);

/** A fresh network has a loopback that is down. `ip link set lo up`, which not every machine has. */
function raiseLoopback(): void {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: ["int", "int", "int"], returns: "int" },
    ioctl: { args: ["int", "u64", "ptr"], returns: "int" },
  });
  const AF_INET = 2;
  const SOCK_DGRAM = 2;
  const SIOCSIFFLAGS = 0x8914;
  const IFF_UP = 1;
  // struct ifreq: the interface's name in 16 bytes, then its flags as a short.
  const request = Buffer.alloc(40);
  request.write("lo");
  request.writeInt16LE(IFF_UP, 16);
  if (libc.ioctl(libc.socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, ptr(request)) !== 0)
    throw new Error("the loopback interface could not be raised");
}

function mount(from: string, to: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", "--bind", from, to]);
  if (exitCode !== 0) throw new Error(`mount ${to}: ${stderr}`);
}

async function serveModel(): Promise<void> {
  const server = createServer((incoming) => {
    const outgoing = connect(socket);
    // A side that breaks off takes the other with it.
    incoming.on("error", () => outgoing.destroy()).pipe(outgoing);
    outgoing.on("error", () => incoming.destroy()).pipe(incoming);
  });
  await new Promise<void>((ready) => server.listen(MODEL_PORT, "127.0.0.1", ready));
}

/** Answers NXDOMAIN at once: without a name server codex waits 10 s at its start and 5 s at its end. */
async function serveUnknownNames(): Promise<void> {
  const server = createSocket("udp4");
  server.on("message", (query, from) => server.send(unknownName(query), from.port, from.address));
  await new Promise<void>((ready) => server.bind(53, "127.0.0.1", ready));
}

/** The query's header as an answer without records, and its question (RFC 1035, 4.1). */
function unknownName(query: Buffer): Buffer {
  let end = 12;
  while ((query[end] ?? 0) !== 0) end += (query[end] ?? 0) + 1;
  const answer = Buffer.from(query.subarray(0, end + 5));
  answer.writeUInt16BE(0x8183, 2);
  answer.fill(0, 6, 12);
  return answer;
}
