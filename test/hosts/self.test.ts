import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "./built.ts";
import { driveHost, hosts, INSTALL_TIMEOUT_MS, installHost, TEST_TIMEOUT_MS } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { approveGuard, must } from "./house.ts";
import { openMachine } from "./machine.ts";
import { inTurn, type Turn } from "./mock-model.ts";
import { openStage } from "./stage.ts";

/** hookpkg's own guard, which nobody installs: what it looks after is never in a folder for temporary files. */
const HOME = "/mnt";
const STATE = ".local/state/hookpkg";

type Known = {
  name: HostName;
  host: string;
  /** Its settings below the home, a file of a project that it reads as well, and the call of its own tool that writes one. */
  settings: string;
  shared: string;
  /** Whether a question ends a run in which nobody sits, with no word to the model. */
  ends?: true;
  write: (path: string) => Turn;
};

const content = "{}\n";
const KNOWN: readonly Known[] = [
  {
    name: "codex",
    host: "codex",
    settings: ".codex/hooks.json",
    shared: ".codex/hooks.json",
    write: (path) => ({ tool: "apply_patch", input: `*** Begin Patch\n*** Add File: ${path}\n+{}\n*** End Patch\n` }),
  },
  {
    name: "claude-code",
    host: "claude-code",
    settings: ".claude/settings.json",
    shared: ".claude/settings.local.json",
    write: (file_path) => ({ tool: "Write", input: { file_path, content } }),
  },
  {
    name: "gemini",
    host: "gemini-cli",
    settings: ".gemini/extensions/hookpkg/hooks/hooks.json",
    shared: ".gemini/settings.json",
    ends: true,
    write: (file_path) => ({ tool: "write_file", input: { file_path, content } }),
  },
  {
    name: "qwen",
    host: "qwen-code",
    settings: ".qwen/settings.json",
    shared: ".qwen/settings.json",
    write: (file_path) => ({ tool: "write_file", input: { file_path, content } }),
  },
];

let built: ReturnType<typeof buildProgram>;
beforeAll(async () => {
  built = buildProgram();
  for (const { name } of KNOWN) await installHost(name);
}, INSTALL_TIMEOUT_MS);
afterAll(() => built[Symbol.dispose]());

test.each(KNOWN.map((known) => [`${known.host} ${hosts[known.name].pin.version}`, known] as const))(
  "%s: an agent changes neither hookpkg's own files nor the host's settings",
  async (_, { name, host, settings, shared, ends, write }) => {
    using stage = openStage();
    const machine = openMachine(stage, built.program, HOME);
    machine.install("the person's");
    const next = `import { defineHook, next } from "@hookpkg/sdk";\nexport default defineHook(() => next());\n`;
    const hook = { id: "next", type: "module", module: "./next.ts", failMode: "closed", may: ["cancel"] };
    await approveGuard(stage, machine.hookpkg, {
      files: { "next.ts": next },
      hooks: { PreToolUse: [{ hooks: [hook] }] },
    });
    await must(machine.hookpkg("attach", host));
    const own = join(stage.home, settings);
    const before: unknown = JSON.parse(readFileSync(own, "utf8")).hooks;
    const turns: Turn[] = [
      { shell: `echo x > ~/${STATE}/own` },
      { shell: `sed -i s/PreToolUse/Nothing/ ${HOME}/${settings}` },
      write(join(stage.project, shared)),
    ];
    const more: Turn[] = [
      { shell: "cd ~/.local && rm -r state/hookpkg" },
      { shell: `ln -s ${HOME}/.local/state s && echo x > s/hookpkg/linked` },
      { shell: `${HOME}/.local/bin/hookpkg detach` },
      write(`${HOME}/${STATE}/written`),
    ];
    const runs = ends ? turns.map((turn) => [turn]) : [[...turns, ...more]];
    const drive = (...script: Turn[]) => driveHost(name, { ...stage, script: inTurn(...script), ...machine.seen });
    for (const run of runs) {
      const ran = await drive(...run, { shell: "touch harmless" });
      const said = ran.requests.at(-1)?.results ?? [];
      expect([ran.exit, ran.executed, said.length]).toEqual(ends ? [0, [], 0] : [0, ["harmless"], run.length + 1]);
      for (const refused of said.slice(0, -1)) expect(refused).toContain("hookpkg#self: this would");
    }
    expect(JSON.parse(readFileSync(own, "utf8")).hooks).toEqual(before);
    for (const file of ["own", "linked", "written"]) expect(existsSync(join(stage.home, STATE, file))).toBe(false);
    expect(existsSync(join(stage.home, STATE))).toBe(true);
    const log: { data: { lines: { handler?: string; answer?: string }[] } } = JSON.parse(
      (await machine.hookpkg("log", "--json")).stdout,
    );
    expect(log.data.lines.filter(({ handler }) => handler === "builtin:hookpkg#self")).toHaveLength(runs.flat().length);
  },
  4 * TEST_TIMEOUT_MS,
);
