import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { driveHost, hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { inTurn } from "./mock-model.ts";
import { openStage, type Stage } from "./stage.ts";

/** How one host takes hooks, as its own documentation has it: nothing here comes from the product. */
export type Dialect = {
  host: HostName;
  /** Where hooks stand, below the project. */
  file: string;
  /** The event before a tool runs, and the answers that stop it and change it. */
  beforeTool: string;
  deny: (reason: string) => unknown;
  rewrite: (command: string) => unknown;
  /** Whether the host does what `rewrite` says. */
  rewrites: boolean;
  /** The event of a prompt. */
  prompt: string;
  /** The folder of fixtures/captures, and the events of a plain run that it has. */
  captures: string;
  events: string[];
};

/** The command of the captures. */
const CAPTURED = "printf 'ran-%d\\n' 2 | tee marker.txt";

/** Drives the real host and finds that it does what is known of it: that the harness shows hooks at work, and their absence. */
export function proveHost(dialect: Dialect): void {
  const { host, file, beforeTool, prompt } = dialect;

  describe(`${host} ${hosts[host].pin.version}`, () => {
    beforeAll(() => installHost(host), INSTALL_TIMEOUT_MS);

    test(
      "runs what the model asks for where no hook stands against it",
      async () => {
        using stage = openStage();
        const ran = await driveHost(host, { ...stage, script: inTurn({ shell: "touch marker" }) });
        expect(ran).toMatchObject({ exit: 0, executed: ["marker"] });
        expect(ran.requests).toHaveLength(2);
        expect(ran.requests[0]?.results).toEqual([]);
        expect(ran.requests[1]?.results).toHaveLength(1);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "does not run what its hook denies, and tells the model why",
      async () => {
        using stage = openStage();
        stage.writeHooks(file, { [beforeTool]: stage.hook(beforeTool, dialect.deny("no markers in this house")) });
        const ran = await driveHost(host, { ...stage, script: inTurn({ shell: "touch marker" }) });
        expect(ran).toMatchObject({ exit: 0, executed: [] });
        expect(ran.requests[1]?.results[0]).toContain("no markers in this house");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      dialect.rewrites ? "runs what its hook put in place" : "pays no attention to a rewritten input",
      async () => {
        using stage = openStage();
        stage.writeHooks(file, { [beforeTool]: stage.hook(beforeTool, dialect.rewrite("touch other")) });
        const ran = await driveHost(host, { ...stage, script: inTurn({ shell: "touch marker" }) });
        expect(ran).toMatchObject({ exit: 0, executed: [dialect.rewrites ? "other" : "marker"] });
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "gives its hooks what was captured, and the model what they add",
      async () => {
        using stage = openStage();
        const context = { hookSpecificOutput: { hookEventName: prompt, additionalContext: "the moon is full" } };
        const answers: Record<string, unknown> = { [prompt]: context };
        const hooks = dialect.events.map((event) => [event, stage.hook(event, answers[event])]);
        stage.writeHooks(file, Object.fromEntries(hooks));
        const ran = await driveHost(host, { ...stage, script: inTurn({ shell: CAPTURED }, { text: "all done" }) });
        expect(ran).toMatchObject({ exit: 0, executed: ["marker.txt"] });
        expect(ran.requests[0]?.told).toContain("the moon is full");
        for (const event of dialect.events) expectCaptured(event, stage, dialect);
      },
      TEST_TIMEOUT_MS,
    );
  });
}

/** The values may differ from run to run, but not those that the run was made with. */
function expectCaptured(event: string, stage: Stage, { captures }: Dialect): void {
  const fixture = join(import.meta.dir, "../../fixtures/captures", captures, `${event}.json`);
  const known: Record<string, unknown> = JSON.parse(readFileSync(fixture, "utf8"));
  const [given] = stage.captured(event);
  expect(shapeOf(given), event).toEqual(shapeOf(known));
  const { hook_event_name, tool_name, tool_input } = known;
  const fixed = { hook_event_name, ...(tool_name === undefined ? {} : { tool_name, tool_input }) };
  expect(given, event).toMatchObject({ ...fixed, cwd: stage.project });
}

/** Each value by its type, the fields of an object by name. */
function shapeOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
