import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AttachedStage, attach, away, CONTEXT, HIDDEN, REASON } from "../attached.ts";
import { buildProgram } from "../built.ts";
import { type Driven, hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "../drive.ts";
import type { HostName } from "../hosts/host.ts";
import { openStage, type Stage } from "../stage.ts";

/** What a host was seen to do with hookpkg attached, where it does not do all that the four of `attached.test.ts` do. */
export type Known = {
  name: HostName;
  /** As hookpkg names it, and a file that `attach` makes, below the home. */
  host: string;
  file: string;
  /** Whether a refused call ends the run: nobody is then told why, and the journal alone has it. */
  ends: boolean;
  /** Whether it shows the person, headless, what hooks say to them. */
  shows?: true;
  /** More that this host alone has to show. */
  more?: (attached: () => AttachedStage) => void;
};

type Ran = Driven & { said: string[] };

/** Drives the real program, headless against the scripted model, with a closed guard that was approved. */
export function proveAttached(known: Known): void {
  describe(`${known.host} ${hosts[known.name].pin.version}`, () => {
    let built: ReturnType<typeof buildProgram>;
    let stage: Stage;
    let attached: AttachedStage;
    const drive = (...steps: Parameters<AttachedStage["drive"]>[1]) => attached.drive(known.name, steps);
    const done = (ran: Ran) => ran.executed.filter((file) => !file.includes("/"));
    const journal = async () => (await attached.hookpkg("log", "--json")).stdout;
    const expectRefused = (ran: Ran, reason: RegExp) => {
      if (known.ends) expect([ran.requests.length, ran.stdout]).toEqual([1, expect.stringContaining('"aborted"')]);
      else expect(ran.said[0]).toMatch(reason);
    };

    beforeAll(async () => {
      built = buildProgram();
      await installHost(known.name);
      stage = openStage();
      attached = await attach(stage, known.host, built.program);
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await attached.hookpkg("daemon", "stop");
      stage[Symbol.dispose]();
      built[Symbol.dispose]();
    });

    test(
      "does not run what the guard refuses, and says why",
      async () => {
        const ran = await drive({ shell: "touch forbidden" }, { shell: "touch later" });
        expect(done(ran)).toEqual(known.ends ? [] : ["later"]);
        expectRefused(ran, new RegExp(REASON));
        expect(await journal()).toContain(REASON);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "runs what the guard lets through, and what it put in a call's place",
      async () => {
        const ran = await drive({ shell: "touch harmless" }, { shell: "touch before" });
        expect(done(ran)).toEqual(["after", "harmless"]);
        if (known.shows) expect(ran.stderr).toContain("hookpkg: 4 guards on, 1 other hook, 1 waiting");
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "changes nothing of hookpkg's own",
      async () => {
        const own = join(stage.home, "state/own");
        const ran = await drive({ shell: `echo x > ${own}` });
        expect(existsSync(own)).toBe(false);
        expectRefused(ran, /hookpkg#self: this would/);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "refuses when the guard crashes, and when hookpkg is gone or killed",
      async () => {
        const crash = await drive({ shell: "touch crash" });
        expect(done(crash)).toEqual([]);
        expectRefused(crash, /could not judge/);
        const { go, killed, back } = away(attached.program);
        for (const happens of [go, killed]) {
          happens();
          const ran = await drive({ shell: "touch gone" });
          expect(done(ran)).toEqual([]);
          // Copilot keeps what a hook says on stderr to itself.
          expectRefused(ran, /did not finish|exited with code 2/);
        }
        back();
      },
      3 * TEST_TIMEOUT_MS,
    );

    if (!known.ends)
      test(
        "hides a result, adds context to a prompt, and sends none that a guard refuses",
        async () => {
          const ran = await drive({ shell: "printf 'secret-%d' 42" });
          expect(ran.said[0]).toContain(HIDDEN);
          expect(ran.said[0]).not.toContain("secret-42");
          expect(ran.requests[0]?.told).toContain(CONTEXT);
          expect((await attached.drive(known.name, [], "tell of the unspeakable")).requests).toEqual([]);
        },
        2 * TEST_TIMEOUT_MS,
      );
    else
      test(
        "ends the run before the model reads what a hook hides",
        async () => {
          const ran = await drive({ shell: "printf 'secret-%d' 42" });
          expectRefused(ran, /./);
        },
        TEST_TIMEOUT_MS,
      );

    known.more?.(() => attached);

    test(
      "runs nothing of ours after detach",
      async () => {
        const lines = async () => JSON.parse(await journal()).data.lines.length;
        const before = await lines();
        const file = join(stage.home, known.file);
        expect(readFileSync(file, "utf8")).toContain("BUN_OPTIONS");
        expect((await attached.hookpkg("detach", known.host)).exit).toBe(0);
        expect(existsSync(file)).toBe(false);
        const ran = await drive({ shell: "touch forbidden" });
        expect(done(ran)).toEqual(["forbidden"]);
        expect(await lines()).toBe(before);
      },
      TEST_TIMEOUT_MS,
    );
  });
}
