import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretsBelow } from "./project-secrets.ts";
import { folder, printed } from "./test-run.ts";

let root: string;
const put = (path: string, text = "secret\n") => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const seen = (script: string) =>
  printed(`cd '${root}'; ${script}`, { capabilities: { project: "read" }, call: { project: root } });

beforeEach(() => {
  root = join(realpathSync(folder()), "project");
  mkdirSync(root);
  put("src/a.ts", "a\n");
});

/** Whatever an agent does to a project, a guard that reads it starts, and sees the rest. */
const TRICKS: Record<string, () => void> = {
  "a secret's name that leads to a folder": () => symlinkSync("src", join(root, ".env")),
  "one that leads to hookpkg's own": () => {
    put(".hookpkg/lock.json");
    symlinkSync(".hookpkg", join(root, ".npmrc"));
  },
  "one that leads into a hidden folder": () => {
    put(".ssh/id_rsa");
    symlinkSync(".ssh/id_rsa", join(root, "deploy.pem"));
  },
  "one that leads to the project": () => symlinkSync(".", join(root, ".env")),
  "a loop": () => symlinkSync(".env", join(root, ".env")),
  "two that lead to one file": () => {
    put("one", "secret\n");
    for (const name of [".env", ".env.a"]) symlinkSync("one", join(root, name));
  },
  "one that leads to git's config": () => {
    put(".git/config", "[x]\n\ttoken = secret\n");
    symlinkSync(".git/config", join(root, ".env"));
  },
  "thousands of them": () => {
    for (let n = 0; n < 4000; n++) put(`lib/.env.${n}`);
  },
  "hundreds of folders of them": () => {
    for (let n = 0; n < 300; n++) for (const name of [".env", ".npmrc"]) put(`lib/${n}/${name}`);
  },
  "thousands of git's credentials": () => {
    for (let n = 0; n < 2000; n++) put(`.git/credentials.${n}`);
  },
  "names that are no UTF-8": () => {
    writeFileSync(Buffer.from(`${root}/.env.\xff`, "latin1"), "");
  },
  "a config of gigabytes": () => {
    put(".git/config", "token\n");
    truncateSync(join(root, ".git/config"), 3e9);
  },
  "a pipe": () => {
    Bun.spawnSync(["mkfifo", join(root, ".env")]);
  },
};

test.each(Object.entries(TRICKS))("a guard starts beside %s", async (_, trick) => {
  trick();
  expect(await seen("grep -ar --devices=skip secret . 2>/dev/null | head -3; cat src/a.ts")).toBe("a");
});

test("so many secrets that the project itself is closed, not empty", async () => {
  for (let n = 0; n < 200; n++) put(`.env.${n}`);
  expect(secretsBelow(root)).toEqual([{ path: root, shows: "no-folder" }]);
  expect(await seen("ls -A 2>&1; pwd; cat .env.0")).toMatch(/^ls: .*Permission denied\n.*project\ncat: .*No such file/);
});
