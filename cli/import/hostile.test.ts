import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { importFrom } from "./import.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "hookpkg-import-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string | object>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), typeof text === "string" ? text : JSON.stringify(text));
  }
}

const from = (host?: string, path = "") =>
  importFrom({ from: join(base, path), folder: "/x/made", host, name: undefined });
const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "",
    (error) => (isFault(error) ? error.code : `${error}`),
  );

const MANIFEST = ".claude-plugin/plugin.json";
const HOOKS = "hooks/hooks.json";
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
const plugin = (hooks: object, manifest: object = { name: "p" }) => ({ [MANIFEST]: manifest, [HOOKS]: { hooks } });

describe("refused", () => {
  const deep = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;
  const many = Array.from({ length: 201 }, (_, n) => hook(`echo ${n}`));
  test.each([
    ["nothing there", {}, "E_SOURCE_NONE"],
    ["a manifest alone", { [MANIFEST]: { name: "p" } }, "E_SOURCE_EMPTY"],
    ["hooks that have no form here", plugin({ Stop: [{ hooks: [{ type: "mcp_tool" }] }] }), "E_SOURCE_EMPTY"],
    ["hooks of nobody knows whom", { [HOOKS]: { hooks: { Stop: [hook("true")] } } }, "E_SOURCE_HOST"],
    ["two plugins in one", { [MANIFEST]: {}, "gemini-extension.json": {} }, "E_SOURCE_HOST"],
    ["a project with two hosts", { ".claude/settings.json": {}, ".gemini/settings.json": {} }, "E_SOURCE_HOST"],
    ["hooks above", { [MANIFEST]: { name: "p", hooks: "../../x" } }, "E_SOURCE_PATH"],
    ["hooks above, in a list", { [MANIFEST]: { name: "p", hooks: ["./a/../../x"] } }, "E_SOURCE_PATH"],
    ["hooks at the root", { [MANIFEST]: { name: "p", hooks: "/etc/passwd" } }, "E_SOURCE_PATH"],
    ["hooks at home", { [MANIFEST]: { name: "p", hooks: "~/x.json" } }, "E_SOURCE_PATH"],
    ["hooks that are missing", { [MANIFEST]: { name: "p", hooks: "./x.json" } }, "E_FOLDER_MISSING"],
    ["hooks that are a number", { [MANIFEST]: { name: "p", hooks: 7 } }, "E_SOURCE_FORM"],
    ["a name with signs", plugin({ Stop: [hook("true")] }, { name: "p\u001b[31m" }), "E_SOURCE_FORM"],
    ["a name that is none", plugin({ Stop: [hook("true")] }, { name: ["p"] }), "E_SOURCE_FORM"],
    ["no object", { [MANIFEST]: "[]" }, "E_SOURCE_FORM"],
    ["broken JSON", { [MANIFEST]: "{" }, "E_JSON"],
    ["a key twice", { [MANIFEST]: '{"name":"a","name":"b"}' }, "E_JSON_DUPLICATE_KEY"],
    ["deep JSON", { [MANIFEST]: deep("[", "]", 100_000) }, "E_JSON_TOO_DEEP"],
    ["deep JSON behind a comment", { "gemini-extension.json": `// "\n${deep("[", "]", 200_000)}` }, "E_SOURCE_FORM"],
    ["a huge file", { [MANIFEST]: `{"name":"${"x".repeat(1024 * 1024)}"}` }, "E_ARCHIVE_TOO_LARGE"],
    ["bytes that are no text", { ".codex/config.toml": "\u0000" }, "E_TOML"],
    ["deep TOML", { ".codex/config.toml": `a = ${deep("[", "]", 300_000)}` }, "E_TOML"],
    ["a notify that is no list", { ".codex/config.toml": 'notify = "ring"' }, "E_SOURCE_FORM"],
    ["more hooks than a package has", plugin({ Stop: many }), "E_SOURCE_LARGE"],
    ["a file with a control sign", { ...plugin({ Stop: [hook("true")] }), "a\u0007b": "" }, "E_ARCHIVE_PATH_CONTROL"],
  ])("%s", async (_, files: Record<string, string | object>, code) => {
    write(files);
    expect(await codeOf(from())).toBe(code);
  });

  test("a host that there is none of, in the words of the flag", async () => {
    write(plugin({ Stop: [hook("true")] }));
    expect(await codeOf(from("emacs"))).toBe("E_SOURCE_HOST");
    await from("emacs").catch((error) => expect(error.facts).toMatchObject({ expected: "--host NAME" }));
  });

  test.each(["", HOOKS, "hooks/run.sh", ".claude-plugin"])("a link in the place of %p", async (path) => {
    write(plugin({ Stop: [hook("${CLAUDE_PLUGIN_ROOT}/hooks/run.sh")] }));
    if (path === "") {
      symlinkSync(base, `${base}-link`);
      const made = await codeOf(
        importFrom({ from: `${base}-link`, folder: "/x/made", host: undefined, name: undefined }),
      );
      rmSync(`${base}-link`);
      expect(made).toBe("E_FOLDER_LINK");
      return;
    }
    rmSync(join(base, path), { recursive: true, force: true });
    symlinkSync("/etc", join(base, path));
    expect(await codeOf(from())).toBe("E_FOLDER_LINK");
  });

  test("a script of a project that is a link", async () => {
    write({ ".claude/settings.json": { hooks: { Stop: [hook(".claude/run.sh")] } } });
    symlinkSync("/etc/passwd", join(base, ".claude/run.sh"));
    expect(await codeOf(from())).toBe("E_FOLDER_LINK");
  });
});

describe("taken, and said", () => {
  const lines = async (host?: string) => {
    const { imported } = await from(host);
    return {
      ids: imported.carried.map(({ id }) => id),
      lost: imported.lost.map(({ from: at, why }) => `${at}: ${why}`),
      imported,
    };
  };

  test("--host takes what could be anybody's", async () => {
    write({ [HOOKS]: { hooks: { Stop: [hook("true")] } } });
    for (const host of ["claude-code", "codex", "peri", "astracode"])
      expect((await from(host)).imported.host).toBe(host);
  });

  test("words that only one host has tell whose hooks they are", async () => {
    write({ "hooks.json": { hooks: { BeforeTool: [hook("true")] } } });
    expect((await from()).imported.host).toBe("gemini-cli");
    write({ "hooks.json": { hooks: { PreToolUse: [{ matcher: "run_shell_command", ...hook("true") }] } } });
    expect((await from()).imported.host).toBe("qwen-code");
  });

  test("names that would be the same, or long, or nothing: each handler has an id of its own", async () => {
    const named = ["__proto__", "constructor", "X!", "x", "x?", "y".repeat(90), "y".repeat(91), "…"];
    write(plugin({ Stop: named.map((name, n) => hook(`echo ${n}`, { name })) }));
    const { ids } = await lines();
    expect(ids).toEqual([
      "proto",
      "constructor",
      "x",
      "x-stop",
      "x-2",
      "y".repeat(40),
      `${"y".repeat(35)}-stop`,
      "stop",
    ]);
  });

  test("__proto__ is a name like any other", async () => {
    write({
      [MANIFEST]: '{"name":"p","__proto__":{"hooks":{}}}',
      [HOOKS]:
        '{"hooks":{"__proto__":[{"hooks":[]}],"Stop":[{"hooks":[{"type":"command","command":"true","__proto__":{"may":["allow"]}}]}]}}',
    });
    const { imported } = await lines();
    expect(imported.carried.map(({ to }) => to)).toEqual(["Stop command true, timeout 60"]);
    expect(imported.carried[0]?.notes).toContain("unknown here, left out: __proto__");
  });

  test("control signs of a source never stand in the report", async () => {
    write(plugin({ Stop: [hook("echo '\u001b[2J'", { "bad\u001bfield": 1 })], "Bad\u001b[31m": [hook("true")] }));
    const { imported } = await lines();
    expect(imported.lost).toHaveLength(1);
    const texts = [...imported.carried, ...imported.lost].flatMap((one) => Object.values(one).flat());
    expect(texts.join("")).toContain("[2J");
    expect(texts.join("")).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ["above the folder", "${CLAUDE_PLUGIN_ROOT}/../../evil.sh"],
    ["above the project", "../x.sh"],
    ["at home", "~/x.sh"],
    ["at home, by the variable", 'python3 "$HOME/x.py"'],
  ])("a script %s is not carried over", async (_, command) => {
    write(plugin({ Stop: [hook("true"), hook(command)] }));
    const { ids, lost } = await lines();
    expect(ids).toEqual(["stop"]);
    expect(lost.join()).toContain("outside the folder");
  });

  test("a placeholder that is none, a shell that is none, no command: said", async () => {
    write(plugin({ Stop: [hook("true"), hook("%PLUGIN_ROOT%/x"), hook("x", { shell: "powershell" }), hook(" ")] }));
    const { lost } = await lines();
    expect(lost.map((line) => line.slice(line.lastIndexOf('": ') + 3))).toEqual([
      "its shell is powershell",
      "it has no command",
      "this placeholder is not known (%PLUGIN_ROOT%), did you mean ${PLUGIN_ROOT}?",
    ]);
  });

  test("an observer is not the guard beside it that runs the same; the same once more is said", async () => {
    const guard = hook("exit 2").hooks[0];
    const all = [{ ...guard, async: true }, guard, { ...guard, statusMessage: "again" }];
    write(plugin({ PreToolUse: [{ hooks: all }] }));
    const { imported } = await lines();
    expect(imported.carried.map(({ to }) => /async true/.test(to))).toEqual([true, false]);
    expect(imported.lost).toHaveLength(1);
  });

  test("a project's secrets do not come along because a script speaks of them", async () => {
    write({
      ".claude/settings.json": {
        hooks: { PreToolUse: [hook("cat .env | python3 guard.py --keep secrets/key.pem src/app.ts")] },
      },
      ...{ "guard.py": 'print(open("config.json").read(), "secrets/key.pem", ".env", "src/app.ts")\nimport helper\n' },
      ...{ "helper.py": "", "config.json": "{}", ".env": "KEY=1", "secrets/key.pem": "k", "src/app.ts": "" },
    });
    const { files } = await from();
    expect(files.map(({ path }) => path).sort()).toEqual([
      ...["docs/imported.md", "guard.py", "helper.py", "hookpkg.json", "hooks/hooks.json"],
    ]);
  });

  test("what a script names and what stays behind all the same is said, and a link is one of these", async () => {
    write({
      ...plugin({ Stop: [hook("sh ${CLAUDE_PLUGIN_ROOT}/hooks/a.sh")] }),
      "hooks/a.sh": 'cat "$CLAUDE_PLUGIN_ROOT/docs/deny.txt" "$(dirname "$0")/.deny" ../linked.txt',
      ...{ "docs/deny.txt": "", "hooks/.deny": "" },
    });
    expect((await lines()).imported.notes).toEqual([
      "left behind: docs/",
      ...["docs/deny.txt", "hooks/.deny"].map((path) => `hooks/a.sh names ${path}, which stays behind`),
    ]);
    write({ ".claude/settings.json": { hooks: { Stop: [hook(".claude/hooks/b.sh")] } } });
    write({ ".claude/hooks/b.sh": "cat ../settings.local.json ./linked.txt", ".claude/settings.local.json": {} });
    symlinkSync("/etc/passwd", join(base, ".claude/hooks/linked.txt"));
    const { files } = await from("claude-code", ".claude");
    expect(files.map(({ path }) => path)).not.toContain("settings.local.json");
    expect(files.map(({ path }) => path)).not.toContain("hooks/linked.txt");
  });

  test("hooks of skills and of a list of plugins are not carried over, and said; a script may name paths that are none", async () => {
    write({
      ...plugin({ Stop: [hook("sh ${CLAUDE_PLUGIN_ROOT}/a.sh")] }),
      "a.sh": `curl https://x.example/${"a/".repeat(40)}b.sh`,
      "skills/x/SKILL.md": "---\nname: x\nhooks:\n  PreToolUse: []\n---\n",
      "skills/y/SKILL.md": "hooks: none\n",
      ".claude-plugin/marketplace.json": { plugins: [{ hooks: {} }] },
    });
    const { notes } = (await lines()).imported;
    expect(notes.filter((note) => /hooks/.test(note)).map((note) => note.split(" ")[0])).toEqual([
      ".claude-plugin/marketplace.json",
      "skills/x/SKILL.md",
    ]);
  });

  test("a script that no handler would see is not carried over", async () => {
    write({
      ...plugin({ Stop: [hook("true"), hook("sh ${CLAUDE_PLUGIN_ROOT}/docs/a.sh")] }),
      "docs/a.sh": "exit 2",
    });
    expect((await lines()).lost.join()).toContain("docs/a.sh");
  });

  test("a refusal where nothing can be refused here is said", async () => {
    write(plugin({ ConfigChange: [hook("echo no >&2; exit 2")], Stop: [hook("echo no >&2; exit 2;")] }));
    const notes = (await lines()).imported.carried.map(({ notes: said }) => said.join().includes("can't be refused"));
    expect(notes).toEqual([true, false]);
  });

  test("nothing of the source is run", async () => {
    const mark = join(base, "ran");
    write({
      ...plugin({ Stop: [hook(`touch ${mark}; \${CLAUDE_PLUGIN_ROOT}/x.ts`)] }),
      "x.ts": `await Bun.write("${mark}", "");`,
    });
    await from();
    expect(existsSync(mark)).toBe(false);
  });
});
