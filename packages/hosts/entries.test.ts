import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEntryPath, isOwnText, personalText, sharedText } from "./entry-text.ts";
import { HOST_SETTINGS, hostNamed } from "./index.ts";
import { groupOf, type HostSettings } from "./settings.ts";
import { newSettings } from "./settings-edit.ts";

/** Whoever changes an entry changes it for everybody who has attached it, and takes from them the trust that they gave in Codex. */
const GOLDEN = join(import.meta.dir, "../../fixtures/entries");
const LAUNCH = { program: ["/usr/local/bin/hookpkg"], state: "/home/ana/.local/state/hookpkg" };
const hosts = HOST_SETTINGS.map((settings) => [settings.host, settings] as const);

function all(settings: HostSettings, text: (entry: HostSettings["entries"][number]) => string): string {
  return newSettings(
    Object.fromEntries(settings.entries.map((entry) => [entry.event, groupOf(entry, text(entry), settings)])),
    settings.head,
  );
}

function shimsOf(settings: HostSettings) {
  const commands = settings.entries.map((entry) => [entry.event, personalText(settings, entry, LAUNCH)] as const);
  return settings.shims?.(Object.fromEntries(commands)) ?? [];
}

describe.each(hosts)("%s", (host, settings) => {
  test("has the entries of the golden files, and its own files where it has no entries", () => {
    const texts = {
      personal: all(settings, (entry) => personalText(settings, entry, LAUNCH)),
      shared: all(settings, (entry) => sharedText(settings, entry)),
      ...Object.fromEntries(shimsOf(settings).map(({ name, text }) => [name, text])),
    };
    for (const [scope, text] of Object.entries(texts)) {
      const file = join(GOLDEN, scope.includes(".") ? `${host}.${scope}` : `${host}.${scope}.json`);
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    }
  });

  test("has an adapter for each of its events, which it reads", () => {
    const base = { session_id: "s", cwd: "/p", tool_name: "Bash", tool_input: { command: "ls" }, prompt: "p" };
    for (const { event } of settings.entries)
      expect([event, hostNamed(host)?.read({ ...base, hook_event_name: event }).event]).toEqual([
        event,
        expect.any(String),
      ]);
  });

  test("gives hookpkg more time than it takes for a decision", () => {
    const unitMs = host === "gemini-cli" ? 1 : 1000;
    const ceilingMs = hostNamed(host)?.ceilingMs ?? 590_000;
    for (const { guards, timeout } of settings.entries) if (guards) expect(timeout * unitMs).toBeGreaterThan(ceilingMs);
  });

  test("no name of a variable stands in them: some hosts put values that a project sets in its place", () => {
    for (const entry of settings.entries)
      for (const text of [personalText(settings, entry, LAUNCH), sharedText(settings, entry)])
        expect(text).not.toMatch(/\$\{|\$\w/);
  });

  test("its entries are known as ours, and a person's are not", () => {
    const asked = settings.runs ?? host;
    for (const entry of settings.entries) expect(isOwnText(personalText(settings, entry, LAUNCH), asked)).toBe(true);
    for (const entry of settings.entries) expect(isOwnText(sharedText(settings, entry), asked)).toBe(true);
    expect(isOwnText(`/usr/local/bin/hookpkg run ${host}`, host)).toBe(false);
  });
});

test("a path that a host would change cannot stand in an entry", () => {
  for (const path of ["/opt/$HOME/x", "/opt/${x}", "/a\nb", "/`x`", "relative"]) expect(isEntryPath(path)).toBe(false);
  for (const path of ["/opt/my tools/it's", "/home/ä/x"]) expect(isEntryPath(path)).toBe(true);
});

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookpkg-entry-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type End = { exit: number; stdout: string; stderr: string };

/** A program that ends in some way, called by an entry's text in the shells that hosts use. */
async function ends(
  shell: string,
  host: string,
  event: string,
  how: { program?: string; closed: boolean; env?: object; inner?: string },
): Promise<End> {
  const settings = HOST_SETTINGS.find((one) => one.host === host);
  const entry = settings?.entries.find((one) => one.event === event);
  if (!settings || !entry) throw new Error(event);
  const state = mkdtempSync(join(folder, "it's a state-"));
  if (how.closed) mkdirSync(join(state, "closed"));
  if (how.closed) writeFileSync(join(state, "closed/any"), "{}");
  const program = join(state, "hookpkg");
  if (how.program !== undefined) {
    writeFileSync(program, `#!/bin/sh\n${how.program}\n`);
    chmodSync(program, 0o755);
  }
  const text = personalText(settings, entry, { program: [program], home: "/h", state });
  const inner = join(state, "sh");
  symlinkSync(how.inner ?? "/bin/sh", inner); // where sh is bash
  const child = Bun.spawn([shell, "-c", text.replace(" /bin/sh -c ", ` '${inner.replaceAll("'", "'\\''")}' -c `)], {
    env: { PATH: "/usr/bin:/bin", ...how.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [exit, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { exit, stdout, stderr };
}

describe.each(["/bin/sh", "/bin/bash"])("an entry in %s", (shell) => {
  test("gives the program's own words and end where it has one", async () => {
    const said = { program: 'echo "$@"; echo heard >&2; exit 2', closed: false };
    expect(await ends(shell, "codex", "PreToolUse", said)).toEqual({
      exit: 2,
      stdout: "run codex --home /h --entry\n",
      stderr: "heard\n",
    });
    const passed = { program: "echo '{}'; exit 93", closed: true };
    expect(await ends(shell, "codex", "PreToolUse", passed)).toEqual({ exit: 0, stdout: "{}\n", stderr: "" });
  });

  test.each([
    ["killed", "kill -9 $$"],
    ["crashed", "kill -SEGV $$"],
    ["ended with 1", "exit 1"],
    ["ended well before it had decided", "exit 0"],
    ["not there", undefined],
  ])("%s: refused where a guard is closed, else it passes and says so", async (_, program) => {
    for (const host of ["claude-code", "codex", "qwen-code"])
      for (const event of ["PreToolUse", "PermissionRequest"]) {
        const how = program === undefined ? {} : { program };
        const closed = await ends(shell, host, event, { ...how, closed: true });
        expect([host, event, closed.exit]).toEqual([host, event, 2]);
        expect(host === "claude-code" ? closed.stdout : closed.stderr).toContain("is refused");
        if (host !== "claude-code") expect(closed.stdout).toBe("");
        else expect(JSON.parse(closed.stdout)).toMatchObject({ hookSpecificOutput: { hookEventName: event } });
        const open = await ends(shell, host, event, { ...how, closed: false });
        expect(open.exit).toBe(0);
        expect(JSON.parse(open.stdout)).toEqual({ systemMessage: expect.any(String) });
      }
  });

  test("at other events nothing is refused, on a host that takes any end for a refusal as well", async () => {
    for (const [host, event] of [
      ["gemini-cli", "BeforeAgent"],
      ["codex", "Stop"],
      ["claude-code", "UserPromptSubmit"],
    ] as const) {
      const end = await ends(shell, host, event, { closed: true });
      expect([end.exit, JSON.parse(end.stdout)]).toEqual([0, { systemMessage: expect.any(String) }]);
    }
  });

  test("no function that the environment hands to bash stands for a word of it", async () => {
    const names = [
      "exit",
      "command",
      "printf",
      "test",
      "[",
      "set",
      "case",
      "env",
      "/usr/bin/env",
      "/bin/sh",
      "sh",
      "if",
    ];
    for (const name of names) {
      const env = {
        [`BASH_FUNC_${name}%%`]: "() { builtin exit 0; }",
        IFS: "/",
        SHELLOPTS: "xtrace",
        ENV: "/dev/zero",
      };
      for (const program of [undefined, "exit 1", "exit 0"]) {
        const end = await ends(shell, "codex", "PreToolUse", {
          ...(program && { program }),
          closed: true,
          env,
          inner: shell,
        });
        expect([name, end.exit, end.stdout]).toEqual([name, 2, ""]);
      }
    }
  });

  test("hands on nothing that makes the program run other code, whatever the PATH", async () => {
    const evil = join(folder, "evil");
    mkdirSync(evil, { recursive: true });
    for (const name of ["env", "hookpkg", "printf", "["]) {
      writeFileSync(join(evil, name), `#!/bin/sh\necho evil\ntouch ${evil}/ran\n`);
      chmodSync(join(evil, name), 0o755);
    }
    const set = {
      BUN_OPTIONS: "a",
      BUN_BE_BUN: "1",
      BUN_INSPECT: "b",
      BUN_INSPECT_PRELOAD: "/x.js",
      LD_AUDIT: "/x",
      BASH_ENV: "",
      NODE_OPTIONS: "x",
      KEPT: "yes",
    };
    const env = { ...set, PATH: `${evil}:/usr/bin:/bin` };
    const { stdout } = await ends(shell, "claude-code", "PreToolUse", {
      program: "/usr/bin/env; exit 93",
      closed: true,
      env,
    });
    for (const name of Object.keys(set)) expect([name, stdout.includes(`${name}=`)]).toEqual([name, name === "KEPT"]);
    expect(existsSync(join(evil, "ran"))).toBe(false);
  });
});

describe("a project's entry", () => {
  const run = async (event: string, home: string) => {
    const settings = HOST_SETTINGS.find(({ host }) => host === "codex");
    const entry = settings?.entries.find((one) => one.event === event);
    if (!settings || !entry) throw new Error(event);
    // Another home than the password database's; nothing else of the text is changed.
    const text = sharedText(settings, entry).replace(
      '$(/usr/bin/getent passwd "$(/usr/bin/id -u)" | /usr/bin/cut -d: -f6)',
      home,
    );
    const child = Bun.spawn(["/bin/sh", "-c", text], {
      cwd: folder,
      env: { HOME: "/nowhere", PATH: folder },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [exit, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { exit, stdout, stderr };
  };

  test("refuses before a tool where hookpkg is missing, and only speaks elsewhere", async () => {
    writeFileSync(join(folder, "hookpkg"), "#!/bin/sh\necho from the PATH\n");
    chmodSync(join(folder, "hookpkg"), 0o755);
    expect(await run("PreToolUse", "/nobody")).toMatchObject({
      exit: 2,
      stdout: "",
      stderr: expect.stringContaining("not installed"),
    });
    const spoken = await run("SessionStart", "/nobody");
    expect([spoken.exit, JSON.parse(spoken.stdout)]).toEqual([
      0,
      { systemMessage: expect.stringContaining("not installed") },
    ]);
  });

  test("starts the one in the person's own folder", async () => {
    const home = join(folder, "home");
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    writeFileSync(join(home, ".local/bin/hookpkg"), '#!/bin/sh\necho "$@"; exit 93\n');
    chmodSync(join(home, ".local/bin/hookpkg"), 0o755);
    expect(await run("PreToolUse", home)).toEqual({ exit: 0, stdout: "run codex --entry\n", stderr: "" });
  });
});
