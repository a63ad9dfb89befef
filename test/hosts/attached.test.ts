import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AttachedStage, attach, away, CONTEXT, disarm, drive, HIDDEN, linked, MORE, REASON } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { put } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

/** What each host was seen to do with hookpkg attached; everything in it is the real program. */
type Known = {
  name: HostName;
  /** As hookpkg names it, and where its entries are, below the home. */
  host: string;
  settings: string;
  /** Whether it runs the call that a hook put in place of another; where it can't, the call is refused. */
  rewrites: boolean;
  /** Whether its settings are byte for byte as before after `detach`: one host writes into them by itself. */
  restores: boolean;
  /** Whether it shows the person, headless, what hooks say to them. */
  shows?: true;
  /** Where a project sets variables of hooks, and their text there. */
  variables?: { file: string; text: (variables: Record<string, string>) => string };
};

const dotenv = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

const KNOWN: readonly Known[] = [
  {
    name: "codex",
    host: "codex",
    settings: ".codex/hooks.json",
    rewrites: true,
    restores: true,
  },
  {
    name: "claude-code",
    host: "claude-code",
    settings: ".claude/settings.json",
    rewrites: true,
    restores: true,
    variables: { file: ".claude/settings.json", text: (env) => JSON.stringify({ env }) },
  },
  {
    name: "gemini",
    host: "gemini-cli",
    settings: ".gemini/extensions/hookpkg/hooks/hooks.json",
    rewrites: true,
    restores: true,
    shows: true,
    variables: { file: ".env", text: dotenv },
  },
  {
    name: "qwen",
    host: "qwen-code",
    settings: ".qwen/settings.json",
    rewrites: false,
    restores: false,
    variables: { file: ".env", text: dotenv },
  },
];

let built: ReturnType<typeof buildProgram>;

beforeAll(() => {
  built = buildProgram();
}, INSTALL_TIMEOUT_MS);
afterAll(() => built[Symbol.dispose]());

describe.each(KNOWN.map((known) => [`${known.host} ${hosts[known.name].pin.version}`, known] as const))(
  "%s",
  (_, known) => {
    let stage: Stage;
    let attached: AttachedStage;

    beforeAll(async () => {
      await installHost(known.name);
      stage = openStage();
      if (known.settings.endsWith("settings.json")) put(join(stage.home, known.settings), "{}\n");
      hostileProject(stage, known);
      attached = await attach(stage, known.host, built.program);
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await attached.hookpkg("daemon", "stop");
      stage[Symbol.dispose]();
    });

    test("tells the person at a session's start who waits for approval", async () => {
      const event = { session_id: "before", cwd: stage.project, hook_event_name: "SessionStart", source: "startup" };
      expect(JSON.parse((await attached.told(event)).stdout).systemMessage).toContain("./unapproved#all");
    });

    test(
      "obeys an approved closed guard, whatever the project and the agent do",
      async () => {
        const { go, killed, back } = away(attached.program);
        const ran = await attached.drive(known.name, [
          { shell: "touch forbidden" },
          { shell: "touch harmless" },
          { shell: "touch before" },
          { shell: "touch crash" },
          { shell: "printf 'secret-%d' 42" },
          { shell: "touch forbidden", first: () => disarm(stage.project) },
          { shell: "mkdir -p inner && cd inner" },
          { shell: "touch forbidden" },
          { shell: "cd /" },
          { shell: `touch ${stage.project}/forbidden` },
          { shell: "touch gone", first: go },
          { shell: "touch killed", first: killed },
          { shell: "touch last", first: back },
        ]);
        expect(ran.exit).toBe(0);
        const done = ["harmless", "last", ...(known.rewrites ? ["after"] : [])].toSorted();
        expect(ran.executed.filter((file) => !file.includes("/"))).toEqual(done);
        expect(ran.executed).not.toContain("inner/forbidden");
        const [forbidden, , before, crash, secret, again, , inner, , elsewhere, gone, dead] = ran.said;
        expect(forbidden).toContain(REASON);
        if (!known.rewrites) expect(before).toContain("cannot be handed back");
        expect(crash).toContain("could not judge");
        for (const refused of [again, inner, elsewhere]) expect(refused).toContain(REASON);
        for (const refused of [gone, dead]) expect(refused).toContain("did not finish");
        expect(secret).toContain(HIDDEN);
        expect(secret).not.toContain("secret-42");
        expect(ran.requests[0]?.told).toContain(CONTEXT);
        expect(ran.requests.at(-1)?.told).toContain(MORE);
        if (known.shows) expect(ran.stderr).toContain("hookpkg: 4 guards on, 1 other hook, 1 waiting");
      },
      TEST_TIMEOUT_MS,
    );

    test("has asked nobody whom nobody approved", async () => {
      const log = (await attached.hookpkg("log", "--json")).stdout;
      expect(log).toContain("./guard#no-forbidden");
      const asked: { handler?: string; outcome?: string }[] = JSON.parse(log).data.lines;
      const other = asked.filter(({ handler }) => handler?.includes("unapproved"));
      expect(other.every(({ outcome }) => outcome !== "answered")).toBe(true);
      const sessions = join(stage.home, "state/sessions");
      const seen = readdirSync(sessions).map((file) => JSON.parse(readFileSync(join(sessions, file), "utf8")));
      const driven = seen.find(({ session }) => session !== "before");
      expect(Object.keys(driven.told).some((condition) => condition.startsWith("waiting"))).toBe(true);
    });

    test("has run nothing that the project put in hookpkg's way", () => {
      const file = join(stage.project, "evil/ran");
      // The host itself may: it has the variables, too.
      expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain(attached.program);
    });

    test(
      "sends no prompt that a guard refuses",
      async () => {
        expect((await attached.drive(known.name, [], "tell of the unspeakable")).requests).toEqual([]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "locks nobody out: without hookpkg, and without a closed guard, the host works on",
      async () => {
        using free = openStage();
        const own = linked(free, built.program);
        expect((await own.hookpkg("attach", known.host)).exit).toBe(0);
        rmSync(own.program);
        const ran = await drive(free, known.name, [{ shell: "touch free" }]);
        expect(ran).toMatchObject({ exit: 0, executed: ["free"] });
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "runs nothing of ours after detach",
      async () => {
        const lines = async () => JSON.parse((await attached.hookpkg("log", "--json")).stdout).data.lines.length;
        const before = await lines();
        expect((await attached.hookpkg("detach", known.host)).exit).toBe(0);
        const ran = await attached.drive(known.name, [{ shell: "touch forbidden" }]);
        expect(ran.executed.filter((file) => !file.includes("/"))).toEqual(["forbidden"]);
        expect(ran.requests[0]?.told).not.toContain(CONTEXT);
        expect(await lines()).toBe(before);
        const file = join(stage.home, known.settings);
        if (!known.settings.endsWith("settings.json")) expect(existsSync(file)).toBe(false);
        else if (known.restores) expect(readFileSync(file, "utf8")).toBe("{}\n");
        else expect(JSON.parse(readFileSync(file, "utf8")).hooks).toBeUndefined();
      },
      TEST_TIMEOUT_MS,
    );
  },
);

/** Programs of hookpkg's names first on the PATH, code for bun to load first, values for the names in a shell's text. */
function hostileProject({ project }: Stage, { variables }: Known): void {
  const evil = join(project, "evil");
  for (const name of ["hookpkg", "env", "bun", "bwrap", "getent", "printf"])
    put(join(evil, name), `#!/bin/sh\ncat /proc/$$/cmdline /proc/$PPID/cmdline >>${evil}/ran\n`, 0o755);
  const told = "process.execPath + process.argv";
  put(join(evil, "preload.js"), `require("node:fs").appendFileSync(${JSON.stringify(join(evil, "ran"))}, ${told});`);
  if (variables === undefined) return;
  const preload = join(evil, "preload.js");
  const set = {
    PATH: `${evil}:/usr/bin:/bin`,
    HOME: evil,
    BUN_OPTIONS: `--preload=${preload}`,
    BUN_INSPECT_PRELOAD: preload,
    // One that is not there, and one that does no harm; what such a one can do, no entry can stop.
    LD_PRELOAD: `${join(evil, "none.so")}:libm.so.6`,
  };
  put(
    join(project, variables.file),
    variables.text({ ...set, CLAUDE_PROJECT_DIR: "/", GEMINI_PROJECT_DIR: "/", s: "0" }),
  );
}
