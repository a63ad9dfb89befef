import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Driven, driveHost, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import { inTurn, type Script } from "./mock-model.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(() => installHost("codex"), INSTALL_TIMEOUT_MS);
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage[Symbol.dispose]());

const drive = (script: Script, signal?: AbortSignal): Promise<Driven> =>
  driveHost("codex", { ...stage, script, ...(signal && { signal }) });

describe("a driven host", () => {
  test(
    "has an environment built from nothing",
    async () => {
      process.env.HOOKPKG_TEST_CANARY = "tweet";
      const { executed } = await drive(inTurn({ shell: "env > seen" })).finally(() => {
        delete process.env.HOOKPKG_TEST_CANARY;
      });
      expect(executed).toEqual(["seen"]);
      const seen = readFileSync(join(stage.project, "seen"), "utf8").split("\n");
      expect(seen).toContain(`HOME=${stage.home}`);
      expect(seen.filter((line) => line.includes("CANARY"))).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "reaches no server but the model",
    async () => {
      const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") });
      const open = (port: number | string) => `(: > /dev/tcp/127.0.0.1/${port})`;
      const shell = `${open(4010)} && touch model; ${open(server.port ?? 0)} && touch server; touch tried`;
      const { executed } = await drive(inTurn({ shell })).finally(() => server.stop(true));
      expect(executed).toEqual(["model", "tried"]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "dies with all that it started when the run is ended",
    async () => {
      const end = new AbortController();
      // The number tells these from any other sleep of the machine.
      const nap = `sleep 31${process.pid}`;
      const running = drive(inTurn({ shell: `setsid ${nap} & touch started; ${nap}` }), end.signal);
      running.catch(() => {});
      await until(() => existsSync(join(stage.project, "started")));
      expect(processesWith(nap)).not.toEqual([]);
      end.abort();
      await expect(running).rejects.toThrow("was killed");
      await until(() => processesWith(nap).length === 0);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "leaves nothing behind of what it started when it ends by itself",
    async () => {
      const nap = `sleep 32${process.pid}`;
      const { executed } = await drive(inTurn({ shell: `setsid ${nap} > /dev/null 2>&1 & touch started` }));
      expect(executed).toEqual(["started"]);
      await until(() => processesWith(nap).length === 0);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "fails the test with what its script threw",
    async () => {
      const script: Script = ({ index }) => {
        if (index === 1) throw new RangeError("no second turn");
        return { shell: "true" };
      };
      await expect(drive(script)).rejects.toThrow(RangeError);
    },
    TEST_TIMEOUT_MS,
  );
});

/** The test's own time limit is the limit. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(20);
}

function processesWith(words: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(words));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
