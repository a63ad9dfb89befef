import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

test("a folder becomes a project once, registered with the person; what is there is kept", async () => {
  using base = temporaryFolder();
  mkdirSync(join(base.path, "app"));
  const init = () => hookpkgJson(base.path, "init", "--project", "app");
  const created = [".hookpkg", ".hookpkg/.gitignore", ".hookpkg/project.json"];
  expect(await init()).toMatchObject({
    code: 0,
    result: { ok: true, data: { project: join(base.path, "app"), created } },
  });
  expect(readFileSync(join(base.path, "app", ".hookpkg", ".gitignore"), "utf8")).toBe("hooks.local/\n");
  const mine = '{ "packages": {}, "teams": [] }';
  writeFileSync(join(base.path, "app", ".hookpkg", "project.json"), mine);
  expect(await init()).toMatchObject({ code: 0, result: { ok: true, data: { created: [] } } });
  expect(readFileSync(join(base.path, "app", ".hookpkg", "project.json"), "utf8")).toBe(mine);
  const state: unknown = JSON.parse(readFileSync(join(base.path, "home", "state", "projects.json"), "utf8"));
  expect(Object.values(Object(Object(state).projects))).toMatchObject([{ root: join(base.path, "app") }]);
});

test("a .hookpkg that is a link or a file is refused; nothing is written through it", async () => {
  using base = temporaryFolder();
  mkdirSync(join(base.path, "elsewhere"));
  symlinkSync(join(base.path, "elsewhere"), join(base.path, ".hookpkg"));
  expect(await refusal(base.path, "init")).toEqual([1, "E_PROJECT_FOLDER"]);
  expect(existsSync(join(base.path, "elsewhere", "project.json"))).toBe(false);
  rmSync(join(base.path, ".hookpkg"));
  writeFileSync(join(base.path, ".hookpkg"), "x");
  expect(await refusal(base.path, "init")).toEqual([1, "E_PROJECT_FOLDER"]);
  expect(existsSync(join(base.path, "home", "state", "projects.json"))).toBe(false);
});

test("where nobody can be registered no project is left behind, and what was there before stays", async () => {
  using base = temporaryFolder();
  mkdirSync(join(base.path, "home/state"), { recursive: true, mode: 0o700 });
  writeFileSync(join(base.path, "home/state/projects.json"), "{", { mode: 0o600 });
  expect(await refusal(base.path, "init")).toEqual([1, "E_JSON"]);
  expect(existsSync(join(base.path, ".hookpkg"))).toBe(false);
  mkdirSync(join(base.path, ".hookpkg"));
  expect(await refusal(base.path, "init")).toEqual([1, "E_JSON"]);
  expect(readdirSync(join(base.path, ".hookpkg"))).toEqual([]);
});

test("a folder that is not there, or an argument too many", async () => {
  using base = temporaryFolder();
  expect((await refusal(base.path, "init", "--project", "gone"))[0]).toBe(1);
  expect(await refusal(base.path, "init", "more")).toEqual([64, "E_USAGE"]);
});
