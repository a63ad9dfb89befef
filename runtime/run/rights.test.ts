import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { event, folder, module, printed, shell, type Trial } from "./test-run.ts";
import { walk } from "./tree.ts";

let root: string;
let home: string;
const put = (path: string, text = `${path}\n`) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const inProject = (more: Trial["capabilities"] = {}): Trial => ({ capabilities: more, call: { project: root, home } });

beforeEach(() => {
  root = join(realpathSync(folder()), "my project");
  home = realpathSync(folder());
  chmodSync(home, 0o755); // as root the handler is another user, who reads what everyone may read
  mkdirSync(root);
  put("src/a.ts");
});

describe("reading", () => {
  test("without a right there is no project and no home", async () => {
    expect(await printed(`ls "${root}" "${home}"; pwd`, inProject())).toMatch(
      /No such file[\s\S]*No such file[\s\S]*\/plugin$/,
    );
  });

  test("with it the project is there, read-only, and the folder to be in", async () => {
    const said = await printed("pwd; cat src/a.ts; echo x >src/a.ts; echo x >new", inProject({ project: "read" }));
    expect(said.split("\n").slice(0, 2)).toEqual([root, "src/a.ts"]);
    expect(said.match(/Read-only file system/g)?.length).toBe(2);
    expect(
      await module(
        "export default () => ({ answer: 'context', context: process.cwd() })",
        inProject({ project: "read" }),
      ),
    ).toMatchObject({
      answer: { context: root },
    });
  });

  test("its secrets and hookpkg's own files are masked, at any usual depth", async () => {
    const secrets = [
      ".env",
      ".env.local",
      "apps/web/.env.production",
      ".npmrc",
      "keys/server.pem",
      "id_rsa",
      ".git/credentials",
      ".hookpkg/lock.json",
      ".aws/credentials",
    ];
    for (const path of secrets) put(path, "secret\n");
    put(".env.example", "example\n");
    put(".git/config", "[core]\n\tbare = false\n[remote]\n\turl = https://me:secret@example.com/x\n");
    symlinkSync("hidden-by-link", join(root, "apps/.env"));
    put("apps/hidden-by-link", "secret\n");
    const script = `for f in ${[...secrets, "apps/.env", "apps/hidden-by-link"].join(" ")}; do cat $f 2>/dev/null; done; cat .env.example .git/config; grep -r secret . 2>/dev/null`;
    expect(await printed(script, inProject({ project: "read" }))).toBe("example\n[core]\n\tbare = false\n[remote]");
  });

  test("a project or home behind a link is there under both names", async () => {
    const door = join(realpathSync(folder()), "door");
    symlinkSync(join(root, ".."), door);
    put("docs/x.md");
    const project = join(door, "my project");
    const trial = { capabilities: { project: "read", read: ["docs"] } as const, call: { project, home } };
    expect(await printed(`cat '${project}/src/a.ts' '${root}/docs/x.md' "$PROJECT_DIR/docs/x.md"`, trial)).toBe(
      "src/a.ts\ndocs/x.md\ndocs/x.md",
    );
  });

  test("named paths of project and home, nothing beside them; a named secret is named", async () => {
    put("docs/x.md");
    put(".env", "named\n");
    mkdirSync(join(home, ".config/foo"), { recursive: true });
    writeFileSync(join(home, ".config/foo/rc"), "rc\n");
    writeFileSync(join(home, ".config/other"), "other\n");
    const rights = { read: ["docs", ".env", "~/.config/foo", "/etc/hostname", "absent"] };
    const script = `cat docs/x.md .env '${home}/.config/foo/rc'; ls -A '${home}/.config' .; test -s /etc/hostname && echo named`;
    expect((await printed(`cd '${root}'; ${script}`, inProject(rights))).split("\n").sort()).toEqual(
      [".:", ".env", `${home}/.config:`, "", "docs", "docs/x.md", "foo", "named", "named", "rc"].sort(),
    );
  });

  test("never hookpkg's own folders, the kernel's, or everything", async () => {
    mkdirSync(join(home, "state"));
    writeFileSync(join(home, "state/approvals.json"), "approvals\n");
    const trial = { ...inProject({ read: ["~/state", "/proc", "/sys", "/run"] }), hidden: [join(home, "state")] };
    expect(await printed(`cat '${home}/state/approvals.json'; ls /sys /run`, trial)).not.toContain("approvals\n");
    const above = { ...inProject({ read: [home] }), hidden: [join(home, "state")] };
    expect(await printed(`ls -A '${home}'; ls -A '${home}/state'`, above)).toBe("state");
  });

  test("another package's data is nowhere", async () => {
    const dataFolder = join(home, "data/one");
    mkdirSync(join(home, "data/two"), { recursive: true });
    expect(await printed(`ls '${home}'; ls -A /data`, { call: { dataFolder, home } })).toMatch(/No such file/);
  });
});

describe("writing", () => {
  test("data is kept from run to run, up to its limit", async () => {
    const trial = {
      capabilities: { limits: { memoryMiB: 512, dataMiB: 1 } },
      call: { dataFolder: join(home, "data") },
    };
    expect(await shell("echo 1 >$PLUGIN_DATA/n", trial)).toMatchObject({ outcome: "answered" });
    expect(await printed("cat $PLUGIN_DATA/n; head -c 2000000 /dev/zero >$PLUGIN_DATA/big", trial)).toBe("1");
    expect(await shell("exit 0", trial)).toMatchObject({ outcome: "failed", why: "E_RUN_QUOTA" });
  });

  test("a granted folder can be written, is ours again afterwards, and nothing else is", async () => {
    put("build/old.txt", "old\n");
    const said = await printed(
      `cd '${root}'; echo new >build/new.txt; echo newer >build/old.txt; mkdir build/sub; echo x >src/a.ts`,
      inProject({ project: "read", write: ["build"] }),
    );
    expect(said).toMatch(/^.*Read-only file system$/);
    expect([
      readFileSync(join(root, "build/new.txt"), "utf8"),
      readFileSync(join(root, "build/old.txt"), "utf8"),
    ]).toEqual(["new\n", "newer\n"]);
    const owner = lstatSync(root).uid;
    expect(
      ["build", "build/new.txt", "build/old.txt", "build/sub"].map((path) => lstatSync(join(root, path)).uid),
    ).toEqual([owner, owner, owner, owner]);
  });

  test("a granted folder that is missing is made", async () => {
    await shell(`echo 1 >'${root}/out/deep/x'`, inProject({ write: ["out/deep"] }));
    expect(readFileSync(join(root, "out/deep/x"), "utf8")).toBe("1\n");
  });

  test("names that run later by themselves stay as they are, or absent", async () => {
    put("build/package.json", "{}\n");
    const script = `cd '${root}/build'; echo x >package.json; mv package.json other; mkdir -p .git/hooks; echo x >.git/config; echo x >CLAUDE.md; mv .claude y; rmdir .vscode; ln -s /etc/passwd link; mkfifo pipe; echo ok >fine`;
    await printed(script, inProject({ write: ["build"] }));
    expect(readdirSync(join(root, "build")).sort()).toEqual(["fine", "package.json"]);
    expect(readFileSync(join(root, "build/package.json"), "utf8")).toBe("{}\n");
  });

  test("such names that a run makes deeper down, or by another spelling, are moved out of reach, and it has failed", async () => {
    put("build/sub/x");
    const script = `cd '${root}/build'; mkdir -p sub/.git/hooks new/.vscode; echo x >sub/.git/hooks/post-checkout; echo x >new/CLAUDE.local.md;
      echo {} >new/package.json; echo x >new/.vscode/tasks.json; mkdir "$(printf 'a\\377')"; echo x >"$(printf 'a\\377')/.envrc"; echo x >.EnvRc
      mkdir -p shut/.claude; echo x >shut/.claude/x; chmod 0 shut; echo ok >fine`;
    const outcome = await shell(script, inProject({ write: ["build"] }));
    expect(outcome).toMatchObject({ outcome: "failed", why: "E_RUN_PROTECTED" });
    const names: string[] = [];
    walk(join(root, "build"), ({ name }) => names.push(name) > 0 && !name.startsWith("hookpkg-removed-"));
    expect(names.filter((name) => /^(\.git|\.vscode|claude\.local\.md|package\.json|\.envrc)$/i.test(name))).toEqual(
      [],
    );
    expect(readdirSync(join(root, "build/new")).every((name) => /^hookpkg-removed-[0-9a-f]{8}$/.test(name))).toBe(true);
    expect(readFileSync(join(root, "build/fine"), "utf8")).toBe("ok\n");
    expect(JSON.stringify(outcome)).toContain("build/sub/.git");
    const [aside = ""] = readdirSync(join(root, "build/sub")).filter((name) => name.startsWith("hookpkg-removed-"));
    const again = `cd '${root}/build/sub'; chmod 755 ${aside}; mv ${aside} .git; echo x >.git/hooks/pre-push; cd ../..; mv build/sub build/other`;
    expect(await shell(again, inProject({ write: ["build"] }))).toMatchObject({ outcome: "answered" });
    expect(lstatSync(join(root, "build/other", aside)).mode & 0o777).toBe(0);
  });

  test("such names that are there deeper down stay as they are", async () => {
    put("build/sub/.git/config", "[core]\n");
    put("build/sub/deep/AGENTS.override.md", "old\n");
    const script = `cd '${root}/build'; echo x >sub/.git/config; echo x >sub/.git/hooks; rm -rf sub/.git; echo x >sub/deep/AGENTS.override.md;
      mv sub/.git sub/git; mv sub moved; echo ok >fine`;
    expect(await shell(script, inProject({ write: ["build"] }))).toMatchObject({ outcome: "answered" });
    expect(readFileSync(join(root, "build/moved/.git/config"), "utf8")).toBe("[core]\n");
    expect(readFileSync(join(root, "build/moved/deep/AGENTS.override.md"), "utf8")).toBe("old\n");
    expect(readdirSync(join(root, "build/moved")).sort()).toEqual([".git", "deep"]);
  });

  test("a folder with a link of such a name, or with too many files, is not granted", async () => {
    put("build/sub/x");
    symlinkSync(home, join(root, "build/sub/.git"));
    expect(await shell("exit 0", inProject({ write: ["build"] }))).toMatchObject({ why: "E_RUN_PROTECTED" });
    for (let n = 0; n < 201; n++) put(`many/${n}/package.json`);
    expect(await shell("exit 0", inProject({ write: ["many"] }))).toMatchObject({ why: "E_RUN_WRITE_SIZE" });
    expect(lstatSync(join(root, "many/0")).uid).toBe(lstatSync(root).uid);
  });

  test("folders too deep for a path are ours again, too, and hide nothing", async () => {
    put("build/old.txt");
    const name = "d".repeat(200);
    const script = `cd '${root}/build'; i=0; while [ $i -lt 40 ]; do mkdir ${name} && cd -P ./${name} || exit 0; i=$((i+1)); done; mkdir .git; echo x >.git/config`;
    const outcome = await shell(script, inProject({ write: ["build"] }));
    const owner = lstatSync(root).uid;
    const left: unknown[] = [];
    walk(
      join(root, "build"),
      ({ name, found, path }) => {
        if (found.uid !== owner || name === ".git") left.push(path().slice(-20));
        return true;
      },
      { force: true },
    );
    expect(left).toEqual([]);
    expect(readdirSync(join(root, "build")).sort()).toEqual([name, "old.txt"]);
    expect(outcome).toMatchObject({ outcome: "failed", why: "E_RUN_PROTECTED" });
  });

  test("two that write to one place take turns, and the second's wait is its own time", async () => {
    const trial = inProject({ write: ["build"] });
    const script = `cd '${root}/build'; echo begin >>turns; sleep 0.2; echo end >>turns`;
    await Promise.all([shell(script, trial), shell(script, trial), shell(script, trial)]);
    expect(readFileSync(join(root, "build/turns"), "utf8")).toBe("begin\nend\n".repeat(3));
    const slow = shell("sleep 2", trial);
    await Bun.sleep(100);
    expect(await shell("exit 0", { ...trial, handler: { timeoutMs: 300 } })).toMatchObject({ why: "E_RUN_WRITE_BUSY" });
    await slow;
  });

  test("a folder behind a link is not granted", async () => {
    symlinkSync(home, join(root, "build"));
    await printed(`echo x >'${root}/build/x'; echo x >'${home}/x'`, inProject({ write: ["build", "build/sub"] }));
    expect(readdirSync(home)).toEqual([]);
  });

  test.each([
    ["src/a.ts", "written\n"],
    [".envrc", ".envrc\n"],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml\n"],
    ["src/CLAUDE.md", "src/CLAUDE.md\n"],
    ["linked.ts", "linked.ts\n"],
  ])("of the file that the event names: %s", async (path, after) => {
    put(path);
    if (path === "linked.ts") linkSync(join(root, path), join(home, "second-name"));
    const payload = { ...event, tool_name: "Edit", tool_input: { file_path: join(root, path) } };
    const trial = inProject({ write: ["$file"] });
    await printed(`echo written >'${join(root, path)}'; echo x >'${root}/other'`, {
      ...trial,
      call: { ...trial.call, payload },
    });
    expect(readFileSync(join(root, path), "utf8")).toBe(after);
    expect(existsSync(join(root, "other"))).toBe(false);
  });

  test("a file outside the project is not granted, whatever the event names", async () => {
    writeFileSync(join(home, "rc"), "rc\n");
    symlinkSync(home, join(root, "out"));
    for (const file_path of [join(home, "rc"), join(root, "out/rc"), `${root}/../${home.split("/").at(-1)}/rc`]) {
      const payload = { ...event, tool_name: "Edit", tool_input: { file_path } };
      const trial = inProject({ write: ["$file"] });
      await printed(`echo written >'${file_path}'; echo written >'${home}/rc'`, {
        ...trial,
        call: { ...trial.call, payload },
      });
    }
    expect(readFileSync(join(home, "rc"), "utf8")).toBe("rc\n");
  });
});
