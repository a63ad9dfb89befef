import { resolve } from "node:path";
import { REAL_OUTSIDE, within } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { oneLine, writeAll } from "../terminal.ts";
import { Conversation, type Service } from "./conversation.ts";
import { EvaService, stagesOf } from "./eva-service.ts";
import { NativeService } from "./native-service.ts";
import { listenAt, type Wire } from "./own-socket.ts";
import { Seat } from "./seat.ts";

/** Answers other programs until they leave (`--stdio`) or it is told to stop. */
export async function run(call: Call): Promise<Done<CommandData["bridge"]>> {
  const [socket, eva] = [call.flags.text("socket"), call.flags.text("eva")];
  const ways = [call.flags.on("stdio"), socket, eva].filter(Boolean);
  if (ways.length !== 1) throw refuse("E_USAGE", { expected: "one of --stdio, --socket PATH and --eva PATH" });
  const seat = new Seat(call);
  // One call's mistake of ours must not take the guard away from all others.
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, () => call.terminal.note("hookpkg bridge: a call failed [E_INTERNAL]"));
  if (socket) await onSocket(call, socket, () => new NativeService(seat));
  else if (eva) await asModule(call, eva, seat);
  else await onStdio(new NativeService(seat));
  await seat.close();
  return { data: {}, lines: [], printed: true };
}

async function onStdio(service: Service): Promise<void> {
  const left = Promise.withResolvers<void>();
  const conversation = new Conversation(service, (line) => {
    if (!writeAll(1, line)) left.resolve();
  });
  const reading = (async () => {
    for await (const chunk of Bun.stdin.stream()) conversation.receive(chunk);
    conversation.finish();
    await conversation.idle();
  })();
  await Promise.race([reading, left.promise, untilTold()]);
}

type Made = { service: Service; conversation: Conversation; wire: Wire };

async function onSocket<S extends Service>(
  call: Call,
  path: string,
  make: (wire: Wire) => S,
  open: Set<Made & { service: S }> = new Set(),
): Promise<void> {
  const { stop } = await listenAt(resolve(call.cwd, path), (wire) => {
    const service = make(wire);
    const conversation = new Conversation(service, wire.say);
    const made = { service, conversation, wire };
    open.add(made);
    return { receive: (chunk) => conversation.receive(chunk), closed: () => open.delete(made) };
  });
  const told = untilTold(); // before anybody can know that we are here
  call.terminal.result(oneLine(`listening at ${resolve(call.cwd, path)}`));
  await told;
  await within(MAX_FAREWELL_MS, Promise.all([...open].map(({ conversation }) => conversation.idle())));
  stop();
}

/** The handshake is the only place where stages are declared: when they change, a connection ends and the core shakes hands anew. */
async function asModule(call: Call, path: string, seat: Seat): Promise<void> {
  const open = new Set<Made & { service: EvaService }>();
  let isLooking = false;
  const look = async () => {
    if (isLooking || open.size === 0) return;
    isLooking = true;
    const now = JSON.stringify(await stagesOf(seat));
    isLooking = false;
    for (const made of open)
      if (made.service.declared !== undefined && made.service.declared !== now) void farewell(made);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  const make = ({ peer }: Wire) => {
    const start = REAL_OUTSIDE.processStart(peer.pid);
    const core = start === undefined ? undefined : { pid: peer.pid, start };
    return new EvaService(seat, { note: (line) => call.terminal.note(oneLine(line)), core });
  };
  await onSocket(call, path, make, open).finally(() => clearInterval(timer));
}

async function farewell({ conversation, wire }: Made): Promise<void> {
  await conversation.idle();
  wire.end();
}

const LOOK_MS = 1000;
/** Calls under way may end before a stopped bridge goes. */
const MAX_FAREWELL_MS = 10_000;

function untilTold(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
  });
}
