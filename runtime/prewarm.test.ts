import { afterEach, expect, test } from "bun:test";
import { dispatch } from "./dispatch.ts";
import { keepSandbox, openEngine } from "./engine.ts";
import { Prewarm } from "./prewarm.ts";
import type { Engine, Request } from "./request.ts";
import { Workers } from "./run/workers.ts";
import { bash, consent, type Person, person, propose, sweepScratch } from "./test-project.ts";

// The real sandbox; a process that stays, as the daemon is.
let workers: Workers;
afterEach(async () => {
  await workers.close();
  sweepScratch();
});

const COUNT = `let calls = 0; export default () => ({ answer: "context", context: "call " + ++calls + " of this worker" });`;

async function open(packages: Parameters<typeof propose>[1]) {
  const who = await person();
  await propose(who, packages);
  await consent(who);
  workers = new Workers();
  const prewarm = new Prewarm();
  const { home, outside } = who;
  const sandbox = keepSandbox(home, process.execPath);
  const engine = openEngine({ home, outside, env: {}, worker: process.execPath, workers, prewarm, sandbox });
  return { who, prewarm, engine };
}

const start = (who: Person, session = "s1") => ({
  payload: { hook_event_name: "SessionStart", session_id: session, transcript_path: null, cwd: who.root } as const,
  ...{ host: "claude-code", canAsk: true, stays: true },
});

test("a session's start makes workers for what its tools will meet, after the answer", async () => {
  const guard = { may: ["cancel", "context"] };
  const shell = { id: "shell", type: "command", command: "true", module: undefined };
  const own = { id: "own", isolate: "call" };
  const { who, prewarm, engine } = await open({
    "@acme/one": { handlers: [guard, shell], files: { "guard.ts": COUNT } },
    "@acme/two": { handlers: [own] },
    "@acme/three": { handlers: [shell] },
  });
  expect((await dispatch(start(who), engine)).decision).toBe("continue");
  expect(workers.size).toBe(0); // nobody waited for it
  await prewarm.done();
  expect(workers.size).toBe(2);
  const call = { ...start(who), payload: bash(who.root, "ls") };
  const decision = await dispatch(call, engine);
  expect(decision.context).toContain("call 1 of this worker");
  expect(workers.size).toBeLessThanOrEqual(2); // theirs, and no others
}, 60_000);

test("the first event that is seen of a session does it, and no other one but another start", async () => {
  const { who, engine } = await open({ "@acme/one": { handlers: [{ matcher: "Write" }] } });
  const { begun, prewarm, ask } = watched(who, engine, async () => {});
  const call = { ...start(who), payload: bash(who.root, "ls") };
  const other = { ...call, payload: { ...call.payload, session_id: "s2" } };
  for (const request of [call, call, call, other, start(who)]) await ask(request);
  await prewarm.done();
  expect(begun).toEqual(Array(3).fill("@acme/one#guard"));
}, 60_000);

test("what never gets ready, and what throws, delays no answer", async () => {
  const { who, engine } = await open({ "@acme/one": {}, "@acme/two": {} });
  const { begun, ask } = watched(who, engine, (name) =>
    name === "@acme/one#guard" ? Promise.reject(new Error("no")) : new Promise(() => {}),
  );
  for (const session of ["a", "b", "c"]) expect((await ask(start(who, session))).decision).toBe("continue");
  while (begun.length < 2) await Bun.sleep(5);
  expect((await ask({ ...start(who), payload: bash(who.root, "ls") })).decision).toBe("continue");
  expect(begun).toEqual(["@acme/one#guard", "@acme/two#guard"]);
}, 60_000);

/** An engine whose handlers get ready as the test says. */
function watched({ home }: Person, engine: Engine, warm: (name: string) => Promise<void>) {
  const prewarm = new Prewarm();
  const begun: string[] = [];
  const noted = (name: string) => {
    begun.push(name);
    return warm(name);
  };
  const made: Engine = {
    ...engine,
    prewarm: (request, projects, handlers) =>
      prewarm.begin(
        request,
        projects.map((project) => project.id),
        { home, handlers, warm: ({ name }) => noted(name) },
      ),
  };
  return { begun, prewarm, ask: (request: Request) => dispatch(request, made) };
}

test("handlers and sessions that share a worker get one", async () => {
  const { who, prewarm, engine } = await open({ "@acme/one": { handlers: [{ id: "a" }, { id: "b" }] } });
  for (const session of ["a", "b", "c"]) await dispatch(start(who, session), engine);
  await prewarm.done();
  expect(workers.size).toBe(1);
}, 60_000);
