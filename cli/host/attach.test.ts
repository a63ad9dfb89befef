import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { HOST_SETTINGS } from "@hookpkg/hosts";
import { type Ended, hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";

/** `base` is where the program starts; `base/home` is the person's home, for hookpkg and the hosts. */
let place: ReturnType<typeof temporaryFolder>;
let base = "";

beforeEach(() => {
  place = temporaryFolder();
  base = place.path;
});
afterEach(() => place[Symbol.dispose]());

const at = (path: string) => join(base, "home", path);
const read = (path: string) => readFileSync(at(path), "utf8");
function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
type Hooks = Readonly<
  Record<string, { matcher?: string; hooks: { command: string; timeout: number; onFailure?: string }[] }[]>
>;
const hooksIn = (path: string): Hooks => JSON.parse(read(path)).hooks;
const first = <T>(list: readonly T[] | undefined): T => {
  const [found] = list ?? [];
  if (found === undefined) throw new Error("nothing there");
  return found;
};

const CLAUDE = ".claude/settings.json";
/** As a person has it: their order, their blanks, their hook. */
const THEIRS = `{
  "model": "opus",   "env": {"A":"1"},
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs" }] }]
  }
}`;

describe("attach and detach", () => {
  test("a constant set of entries, last in their events; the bytes are back afterwards", async () => {
    put(CLAUDE, THEIRS);
    chmodSync(at(CLAUDE), 0o640);
    expect((await hookpkg(base, "attach", "claude-code")).code).toBe(0);
    const hooks = hooksIn(CLAUDE);
    expect(Object.keys(hooks).sort()).toEqual(
      (HOST_SETTINGS.find(({ host }) => host === "claude-code")?.entries ?? []).map(({ event }) => event).toSorted(),
    );
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(first(hooks.PreToolUse).hooks[0]?.command).toBe("theirs");
    const ours = hooks.PreToolUse?.[1];
    expect(ours?.matcher).toBeUndefined();
    expect(ours?.hooks[0]).toMatchObject({ timeout: 600, onFailure: "block" });
    expect(ours?.hooks[0]?.command).toContain(`run claude-code --home ${at("")}`.replace(/\/$/, ""));
    expect(read(CLAUDE)).toContain('"model": "opus",   "env": {"A":"1"},');
    expect(statSync(at(CLAUDE)).mode & 0o777).toBe(0o640);

    const attached = read(CLAUDE);
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({
      data: { hosts: [{ state: "already" }] },
    });
    expect(read(CLAUDE)).toBe(attached);

    expect((await hookpkgJson(base, "detach", "claude-code")).result).toMatchObject({
      data: { hosts: [{ found: "restored" }] },
    });
    expect(read(CLAUDE)).toBe(THEIRS);
    expect(statSync(at(CLAUDE)).mode & 0o777).toBe(0o640);
    expect(existsSync(at("state/attached.json"))).toBe(false);
  });

  test("takes out exactly its own when the file was written to in between", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    writeFileSync(at(CLAUDE), read(CLAUDE).replace('"model": "opus"', '"model": "haiku"'));
    expect((await hookpkgJson(base, "detach")).result).toMatchObject({ data: { hosts: [{ found: "removed" }] } });
    expect(read(CLAUDE)).toBe(THEIRS.replace('"model": "opus"', '"model": "haiku"'));
  });

  test("makes what is not there, and takes it away again", async () => {
    mkdirSync(at(""), { recursive: true });
    for (const host of HOST_SETTINGS)
      expect([host.host, (await hookpkg(base, "attach", host.host)).code]).toEqual([host.host, 0]);
    for (const path of [
      CLAUDE,
      ".codex/hooks.json",
      ".gemini/extensions/hookpkg/hooks/hooks.json",
      ".qwen/settings.json",
    ])
      expect(Object.keys(hooksIn(path)).length).toBeGreaterThan(6);
    for (const path of [".copilot/hooks/hookpkg.json", ".cursor/hooks.json"])
      expect(JSON.parse(read(path))).toMatchObject({ version: 1, hooks: {} });
    expect(JSON.parse(read(".gemini/extensions/hookpkg/gemini-extension.json"))).toMatchObject({ name: "hookpkg" });
    expect(await hookpkg(base, "attach", "--list")).toMatchObject({
      code: 0,
      out: expect.stringContaining("qwen-code: attached in"),
    });
    expect((await hookpkg(base, "detach")).code).toBe(0);
    expect(readdirSync(at("")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("attaches every host that is here when none is named, and none when there is none", async () => {
    expect(await refusal(base, "attach")).toEqual([1, "E_ATTACH_NO_HOST"]);
    mkdirSync(at(".qwen"), { recursive: true });
    mkdirSync(at(".codex"), { recursive: true });
    const { result } = await hookpkgJson(base, "attach");
    expect(result).toMatchObject({ data: { hosts: [{ host: "codex" }, { host: "qwen-code" }] } });
  });

  test("one host that cannot be written does not keep the others from it", async () => {
    put(CLAUDE, "{ broken");
    mkdirSync(at(".codex"), { recursive: true });
    const { code, result } = await hookpkgJson(base, "attach");
    expect(code).toBe(1);
    expect(result).toMatchObject({
      data: {
        hosts: [
          { state: "failed", error: { code: "E_SETTINGS_PARSE" } },
          { host: "codex", state: "attached" },
        ],
      },
    });
    expect(read(CLAUDE)).toBe("{ broken");
  });

  test("what is wrong with settings is said with its file, place and mend: of one host, of several, by doctor and hooks", async () => {
    put(CLAUDE, "{\n// mine\n}\n");
    mkdirSync(at(".codex"), { recursive: true });
    const place = { code: "E_SETTINGS_PARSE", facts: { file: at(CLAUDE), line: 2 }, hint: expect.any(String) };
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({ error: place });
    expect((await hookpkgJson(base, "attach")).result).toMatchObject({ data: { hosts: [{ error: place }, {}] } });
    const said = await hookpkg(base, "attach");
    for (const part of ["claude-code: failed", `file: ${at(CLAUDE)}`, "line: 2", "mend the file at that line"])
      expect(said.out.replace(/\s+/g, " ")).toContain(part);
    expect((await hookpkg(base, "hooks")).out).toContain("line: 2");
    put(CLAUDE, '{"hooks":{"Stop":1}}');
    const form = { code: "E_SETTINGS_FORM", facts: { file: at(CLAUDE), path: "hooks.Stop" } };
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({ error: form });
  });

  test("a name that is no host's brings the hosts that can be attached, and the nearest", async () => {
    const known = HOST_SETTINGS.map(({ host }) => host);
    const { result } = await hookpkgJson(base, "attach", "--print", "claudecode");
    expect(result).toMatchObject({ error: { code: "E_HOST_UNKNOWN", facts: { known, meant: "claude-code" } } });
    const native = await hookpkgJson(base, "attach", "native");
    expect(native.result).toMatchObject({ error: { facts: { found: "native", known } } });
  });

  test("renews its entries in their place when the home moves", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    const record = JSON.parse(read("state/attached.json"));
    const text = read(CLAUDE).replaceAll("--no-install", "--older-flag");
    const groups = JSON.parse(
      JSON.stringify(record.attachments[0].files[0].groups).replaceAll("--no-install", "--older-flag"),
    );
    record.attachments[0].files[0].groups = groups;
    writeFileSync(at(CLAUDE), text);
    writeFileSync(at("state/attached.json"), JSON.stringify(record));
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({
      data: { hosts: [{ state: "changed" }] },
    });
    expect(read(CLAUDE)).not.toContain("--older-flag");
    expect(hooksIn(CLAUDE).PreToolUse).toHaveLength(2);
    await hookpkg(base, "detach");
    expect(read(CLAUDE)).toBe(THEIRS);
  });

  test("finds its way out of a kill between the record and the settings, and of one that lost the record", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    const attached = read(CLAUDE);
    writeFileSync(at(CLAUDE), THEIRS);
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({ ok: true });
    expect(read(CLAUDE)).toBe(attached);
    writeFileSync(at(CLAUDE), THEIRS);
    expect((await hookpkgJson(base, "detach")).result).toMatchObject({ data: { hosts: [{ found: "gone" }] } });
    expect(read(CLAUDE)).toBe(THEIRS);
    writeFileSync(at(CLAUDE), attached);
    await hookpkg(base, "attach", "claude-code");
    expect(read(CLAUDE)).toBe(attached);
    await hookpkg(base, "detach");
    expect(read(CLAUDE)).toBe(THEIRS);
  });

  test("says that another hookpkg is asked, too, and leaves its entry alone", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    rmSync(at("state/attached.json"));
    const other = read(CLAUDE).replaceAll("--no-install", "--other-hookpkg");
    writeFileSync(at(CLAUDE), other);
    expect((await hookpkg(base, "attach", "claude-code")).out).toContain("another hookpkg");
    expect(hooksIn(CLAUDE).PreToolUse).toHaveLength(3);
    await hookpkg(base, "detach");
    expect(read(CLAUDE)).toBe(other);
  });

  test("shows what it would write, and writes nothing", async () => {
    const { result } = await hookpkgJson(base, "attach", "codex", "--print");
    expect(result).toMatchObject({
      data: { hosts: [{ file: at(".codex/hooks.json"), settings: { hooks: { Stop: [{}] } } }] },
    });
    expect(existsSync(at(".codex"))).toBe(false);
    expect(existsSync(at("state"))).toBe(false);
  });

  test("says what the host cannot do and what its own trust still wants", async () => {
    const { out } = await hookpkg(base, "attach", "codex");
    expect(out).toContain("NOT ACTIVE until Codex trusts it");
    expect(out).toContain("/hooks");
    expect(readdirSync(at(".codex"))).toEqual(["hooks.json"]);
    put(CLAUDE, '{"disableAllHooks":true}');
    expect((await hookpkg(base, "attach", "claude-code")).out).toContain("NOT ACTIVE: disableAllHooks");
    put(".gemini/settings.json", '{"hooksConfig":{"enabled":false}} // off');
    expect((await hookpkg(base, "attach", "gemini-cli")).out).toContain("NOT ACTIVE: hooksConfig");
    put(".codex/hooks.json", '{"$schema":"x","hooks":{}}');
    expect((await hookpkg(base, "attach", "codex")).out).toContain("NOT ACTIVE: codex drops the whole file");
  });
});

describe("entries without groups", () => {
  test("stand behind those of the person, whose bytes are back afterwards", async () => {
    const theirs = `{"version": 1,  "hooks": {"preToolUse": [{ "command": "theirs" }]}}\n`;
    put(".cursor/hooks.json", theirs);
    expect((await hookpkg(base, "attach", "cursor")).code).toBe(0);
    const { version, hooks } = JSON.parse(read(".cursor/hooks.json"));
    expect([version, hooks.preToolUse[0]]).toEqual([1, { command: "theirs" }]);
    expect(hooks.preToolUse[1]).toMatchObject({
      failClosed: true,
      timeout: 60,
      command: expect.stringContaining("run cursor"),
    });
    expect((await hookpkgJson(base, "attach", "cursor")).result).toMatchObject({
      data: { hosts: [{ state: "already" }] },
    });
    await hookpkg(base, "detach", "cursor");
    expect(read(".cursor/hooks.json")).toBe(theirs);
  });

  test("are not read without a version, which attach says", async () => {
    put(".cursor/hooks.json", "{}");
    expect((await hookpkg(base, "attach", "cursor")).out).toContain("NOT ACTIVE: version is not 1");
    put(".copilot/hooks/hookpkg.json", "{}");
    expect((await hookpkg(base, "attach", "copilot-cli")).out).toContain("NOT ACTIVE: version is not 1");
  });
});

describe("one set of entries for two hosts", () => {
  test("is written once, and goes with the last of them", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    const attached = read(CLAUDE);
    expect((await hookpkg(base, "attach", "peri")).code).toBe(0);
    expect(read(CLAUDE)).toBe(attached);
    await hookpkg(base, "detach", "claude-code");
    expect(read(CLAUDE)).toBe(attached);
    await hookpkg(base, "detach", "peri");
    expect(read(CLAUDE)).toBe(THEIRS);
  });
});

describe("files of ours, for hosts without entries", () => {
  const PLUGIN = ".config/opencode/plugins/hookpkg.js";
  const HOOKS = ".cline/hooks";

  test("are there once, and gone afterwards with the folders that they made", async () => {
    expect((await hookpkg(base, "attach", "opencode", "cline")).code).toBe(0);
    expect(read(PLUGIN)).toContain("run opencode --home");
    expect(readdirSync(at(HOOKS)).sort()).toEqual(
      [
        "PostToolUse",
        "PreCompact",
        "PreToolUse",
        "SessionShutdown",
        "TaskComplete",
        "TaskResume",
        "TaskStart",
        "UserPromptSubmit",
      ].map((name) => `${name}.sh`),
    );
    expect(statSync(at(`${HOOKS}/PreToolUse.sh`)).mode & 0o777).toBe(0o755);
    expect((await hookpkgJson(base, "attach", "opencode", "cline")).result).toMatchObject({
      data: { hosts: [{ state: "already" }, { state: "already" }] },
    });
    expect((await hookpkg(base, "attach", "--list")).out).toContain("cline: attached in");
    expect((await hookpkg(base, "detach")).code).toBe(0);
    expect(readdirSync(at("")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("are taken away when they were edited, and made good by attaching again", async () => {
    await hookpkg(base, "attach", "cline");
    const text = read(`${HOOKS}/PreToolUse.sh`);
    writeFileSync(at(`${HOOKS}/PreToolUse.sh`), `${text}# mine\n`);
    chmodSync(at(`${HOOKS}/PostToolUse.sh`), 0o644);
    expect((await hookpkgJson(base, "attach", "cline")).result).toMatchObject({
      data: { hosts: [{ state: "changed" }] },
    });
    expect(read(`${HOOKS}/PreToolUse.sh`)).toBe(text);
    expect(statSync(at(`${HOOKS}/PostToolUse.sh`)).mode & 0o777).toBe(0o755);
    writeFileSync(at(`${HOOKS}/PreToolUse.sh`), `${text}# mine\n`);
    put(`${HOOKS}/TaskStart`, "theirs");
    await hookpkg(base, "detach", "cline");
    expect(readdirSync(at(HOOKS))).toEqual(["TaskStart"]);
  });

  test("are not put in the place of somebody else's, nor is one of theirs taken away", async () => {
    put(PLUGIN, "export const Theirs = 1;");
    put(`${HOOKS}/PreToolUse.sh`, "#!/bin/sh\n");
    expect(await refusal(base, "attach", "opencode")).toEqual([1, "E_ATTACH_TAKEN"]);
    expect(await refusal(base, "attach", "cline")).toEqual([1, "E_ATTACH_TAKEN"]);
    expect(readdirSync(at(HOOKS))).toEqual(["PreToolUse.sh"]);
    rmSync(at(PLUGIN));
    await hookpkg(base, "attach", "opencode");
    put(PLUGIN, "export const Theirs = 1;");
    await hookpkg(base, "detach", "opencode");
    expect(read(PLUGIN)).toBe("export const Theirs = 1;");
  });

  test("a project's are not written through a link that leads out of it", async () => {
    mkdirSync(join(base, "p", ".hookpkg"), { recursive: true });
    put("elsewhere/x", "");
    symlinkSync(at("elsewhere"), join(base, "p", ".clinerules"));
    const words = ["attach", "cline", "--shared", "--project", join(base, "p")];
    expect(await refusal(base, ...words)).toEqual([1, "E_ATTACH_LINK"]);
    rmSync(join(base, "p", ".clinerules"));
    expect((await hookpkg(base, ...words)).code).toBe(0);
    const text = readFileSync(join(base, "p", ".clinerules/hooks/PreToolUse.sh"), "utf8");
    expect(text).toContain("PATH=/usr/local/bin:/usr/bin:/bin");
    expect(text).not.toContain(base);
  });

  test("are shown by --print, and written by it nowhere", async () => {
    const { result } = await hookpkgJson(base, "attach", "opencode", "--print");
    expect(result).toMatchObject({
      data: { hosts: [{ settings: { [at(PLUGIN)]: expect.stringContaining("tool.execute.before") } }] },
    });
    expect(existsSync(at(".config"))).toBe(false);
  });
});

describe("a project's settings", () => {
  test("have the launcher, the same for everybody, and each worktree its own record", async () => {
    for (const project of ["one", "two"]) {
      mkdirSync(join(base, project, ".hookpkg"), { recursive: true });
      const words = ["attach", "claude-code", "--shared", "--project", join(base, project)];
      expect((await hookpkg(base, ...words)).code).toBe(0);
    }
    const [one, two] = ["one", "two"].map((project) => readFileSync(join(base, project, CLAUDE), "utf8"));
    expect(one).toBe(two);
    expect(one).not.toContain(base);
    expect(one).toContain("PATH=/usr/local/bin:/usr/bin:/bin");
    await hookpkg(base, "detach", "--shared", "--project", join(base, "one"));
    expect([existsSync(join(base, "one", ".claude")), existsSync(join(base, "two", CLAUDE))]).toEqual([false, true]);
  });

  test("are not written through a link that leads out of the project", async () => {
    mkdirSync(join(base, "p", ".hookpkg"), { recursive: true });
    put("victim.json", "{}");
    mkdirSync(join(base, "p", ".claude"));
    symlinkSync(at("victim.json"), join(base, "p", CLAUDE));
    const words = ["attach", "--shared", "--project", join(base, "p")];
    expect(await refusal(base, ...words, "claude-code")).toEqual([1, "E_ATTACH_LINK"]);
    symlinkSync(at(""), join(base, "p", ".codex"));
    expect(await refusal(base, ...words, "codex")).toEqual([1, "E_ATTACH_LINK"]);
    expect(read("victim.json")).toBe("{}");
    expect(existsSync(at("hooks.json"))).toBe(false);
  });
});

describe("what is left alone", () => {
  test.each([
    ["a file that does not parse", "{", "E_SETTINGS_PARSE"],
    ["a comment, which this host does not read", "// x\n{}", "E_SETTINGS_PARSE"],
    ["hooks of another form", '{"hooks":"none"}', "E_SETTINGS_FORM"],
  ])("%s", async (_, text, code) => {
    put(CLAUDE, text);
    expect(await refusal(base, "attach", "claude-code")).toEqual([1, code]);
    expect(read(CLAUDE)).toBe(text);
    expect(existsSync(at("state/attached.json"))).toBe(false);
  });

  test("a file that does not parse any more keeps its record until it is mended", async () => {
    put(CLAUDE, THEIRS);
    await hookpkg(base, "attach", "claude-code");
    const text = read(CLAUDE);
    writeFileSync(at(CLAUDE), `${text}}`);
    expect(await refusal(base, "detach")).toEqual([1, "E_SETTINGS_PARSE"]);
    expect(read(CLAUDE)).toBe(`${text}}`);
    writeFileSync(at(CLAUDE), text);
    expect((await hookpkg(base, "detach")).code).toBe(0);
    expect(read(CLAUDE)).toBe(THEIRS);
  });

  test("a read-only file, a folder in its place, text that is none", async () => {
    put(CLAUDE, "{}");
    chmodSync(at(CLAUDE), 0o444);
    expect(await refusal(base, "attach", "claude-code")).toEqual([1, "E_ATTACH_READ_ONLY"]);
    rmSync(at(CLAUDE));
    mkdirSync(at(CLAUDE));
    expect(await refusal(base, "attach", "claude-code")).toEqual([1, "E_ATTACH_FILE"]);
    rmSync(at(CLAUDE), { recursive: true });
    writeFileSync(at(CLAUDE), Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(await refusal(base, "attach", "claude-code")).toEqual([1, "E_ATTACH_FILE"]);
  });

  test("an extension of somebody else's with our name", async () => {
    put(".gemini/extensions/hookpkg/hooks/hooks.json", '{"hooks":{}}');
    expect(await refusal(base, "attach", "gemini-cli")).toEqual([1, "E_ATTACH_TAKEN"]);
    expect(read(".gemini/extensions/hookpkg/hooks/hooks.json")).toBe('{"hooks":{}}');
  });

  test("a link to nothing; one to a file of the person's is followed and stays", async () => {
    put("dotfiles/claude.json", THEIRS);
    mkdirSync(at(".claude"));
    symlinkSync(at("dotfiles/claude.json"), at(CLAUDE));
    expect((await hookpkg(base, "attach", "claude-code")).code).toBe(0);
    expect(lstatSync(at(CLAUDE)).isSymbolicLink()).toBe(true);
    expect(read("dotfiles/claude.json")).toContain("run claude-code");
    expect((await hookpkgJson(base, "attach", "claude-code")).result).toMatchObject({
      data: { hosts: [{ state: "already" }] },
    });
    await hookpkg(base, "detach");
    expect(read("dotfiles/claude.json")).toBe(THEIRS);
    rmSync(at(CLAUDE));
    symlinkSync(at("nowhere.json"), at(CLAUDE));
    expect(await refusal(base, "attach", "claude-code")).toEqual([1, "E_ATTACH_LINK"]);
  });

  test("what nobody attached, and hosts that nobody knows", async () => {
    expect(await refusal(base, "detach", "codex")).toEqual([1, "E_ATTACH_NONE"]);
    expect(await hookpkg(base, "detach")).toMatchObject({ code: 0, out: "nothing is attached\n" });
    expect(await refusal(base, "attach", "emacs")).toEqual([1, "E_HOST_UNKNOWN"]);
    expect(await refusal(base, "attach", "native")).toEqual([1, "E_HOST_UNKNOWN"]);
    expect(await refusal(base, "attach", "codex", "--list")).toEqual([64, "E_USAGE"]);
  });
});

test("no host is attached where no guard could run", () => {
  mkdirSync(at(".codex"), { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const hidden = 'mount --bind /dev/null /usr/bin/bwrap && exec "$@"';
  const program = [process.execPath, join(import.meta.dir, "../main.ts"), "attach", "codex", "--home", at("")];
  const { exitCode, stdout } = Bun.spawnSync(
    ["unshare", "--mount", ...(isRoot ? [] : ["--map-root-user"]), "sh", "-c", hidden, "sh", ...program, "--json"],
    { cwd: base, env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" }, stdin: "ignore" },
  );
  expect([exitCode, JSON.parse(stdout.toString()).error.code]).toEqual([6, expect.stringMatching(/^E_SANDBOX_/)]);
  expect(readdirSync(at(".codex"))).toEqual([]);
});

test("many at once leave one set of entries and one record", async () => {
  put(CLAUDE, THEIRS);
  const runs: Promise<Ended>[] = Array.from({ length: 4 }, () => hookpkg(base, "attach", "claude-code"));
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(hooksIn(CLAUDE).PreToolUse).toHaveLength(2);
  expect(JSON.parse(read("state/attached.json")).attachments).toHaveLength(1);
  await hookpkg(base, "detach");
  expect(read(CLAUDE)).toBe(THEIRS);
});

test("an agent can neither detach nor put other words into the entries", async () => {
  put(CLAUDE, THEIRS);
  await hookpkg(base, "attach", "claude-code");
  const inAgent = (...words: string[]) => {
    const main = join(import.meta.dir, "../main.ts");
    const env = { PATH: "/usr/bin:/bin", CLAUDECODE: "1" };
    const { stdout } = Bun.spawnSync([process.execPath, main, ...words, "--json"], { cwd: base, env, stdin: "ignore" });
    return JSON.parse(stdout.toString());
  };
  const attached = read(CLAUDE);
  expect(inAgent("detach", "--home", at(""))).toMatchObject({ ok: false, error: { code: "E_ATTACH_IN_HOST" } });
  const record = read("state/attached.json").replaceAll("--no-install", "--older-flag");
  writeFileSync(at("state/attached.json"), record);
  expect(inAgent("attach", "claude-code", "--home", at(""))).toMatchObject({ error: { code: "E_ATTACH_IN_HOST" } });
  expect(read(CLAUDE)).toBe(attached);
});
