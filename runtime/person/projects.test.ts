import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolders } from "../home.ts";
import { sweepScratch, temporary } from "../test-project.ts";
import { projectAt, projectsAround, readProjects, registerProject } from "./projects.ts";

afterEach(sweepScratch);

const git = (cwd: string, ...words: string[]) =>
  Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@t.test", ...words], { cwd, stderr: "pipe" });

function repository(): string {
  const root = temporary();
  git(root, "init", "-q");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

test("a project's id is random, made once, and its closed file is there from the start", async () => {
  const [home, root] = [homeFolders(temporary()), temporary()];
  const [first, again] = [await registerProject(home, root), await registerProject(home, root)];
  expect(again.id).toBe(first.id);
  expect(first.id).toMatch(/^[0-9a-f]{32}$/);
  expect(existsSync(join(home.state, "closed", `${first.id}.json`))).toBe(true);
  expect((await registerProject(homeFolders(temporary()), root)).id).not.toBe(first.id);
});

test("a link to a project is that project", async () => {
  const [home, root] = [homeFolders(temporary()), temporary()];
  const link = join(temporary(), "link");
  symlinkSync(root, link);
  expect((await registerProject(home, link)).root).toBe(realpathSync(root));
  expect(projectAt(home, link)?.root).toBe(root);
});

test("worktrees share one project; a folder inside a repository is one of its own", async () => {
  const [home, main] = [homeFolders(temporary()), repository()];
  const tree = join(temporary(), "tree");
  git(main, "worktree", "add", "-q", tree);
  const project = await registerProject(home, main);
  expect(await registerProject(home, tree)).toEqual({ ...project, root: tree });
  expect(projectsAround(home, join(tree, "deep")).map(({ id, root }) => [id, root])).toEqual([[project.id, tree]]);
  mkdirSync(join(main, "sub"));
  expect((await registerProject(home, join(main, "sub"))).id).not.toBe(project.id);
  expect(Object.keys(readProjects(home).projects)).toHaveLength(2);
});

test("projects are found above the folder and above its git main worktree, outermost first", async () => {
  const home = homeFolders(temporary());
  const outer = temporary();
  const main = join(outer, "main");
  mkdirSync(main);
  git(main, "init", "-q");
  git(main, "commit", "-q", "--allow-empty", "-m", "first");
  const tree = join(temporary(), "tree");
  git(main, "worktree", "add", "-q", tree);
  const ids = [(await registerProject(home, outer)).id, (await registerProject(home, main)).id];
  expect(projectsAround(home, main).map(({ id }) => id)).toEqual(ids);
  expect(
    projectsAround(home, tree)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids.toSorted());
});

test("what the project's .git says can't hide it", async () => {
  const [home, root] = [homeFolders(temporary()), repository()];
  const { id } = await registerProject(home, root);
  rmSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git"), `gitdir: ${temporary()}\n`);
  expect(projectsAround(home, root).map((project) => project.id)).toEqual([id]);
});

test("a folder that was removed is looked for from where it was", async () => {
  const [home, root] = [homeFolders(temporary()), temporary()];
  const { id } = await registerProject(home, root);
  expect(projectsAround(home, join(root, "gone/deeper")).map((project) => project.id)).toEqual([id]);
});

test("registrations at the same time are all kept", async () => {
  const home = homeFolders(temporary());
  const roots = Array.from({ length: 8 }, temporary);
  const ids = (await Promise.all(roots.map((root) => registerProject(home, root)))).map(({ id }) => id);
  expect(Object.keys(readProjects(home).projects).sort()).toEqual(ids.toSorted());
});

test("a folder whose .git names another project's is none of its worktrees, as git says", async () => {
  const [home, main, fake] = [homeFolders(temporary()), repository(), temporary()];
  await registerProject(home, main);
  mkdirSync(join(fake, "g"));
  writeFileSync(join(fake, ".git"), "gitdir: g\n");
  writeFileSync(join(fake, "g", "commondir"), `${join(main, ".git")}\n`);
  writeFileSync(join(fake, "g", "gitdir"), `${join(fake, ".git")}\n`);
  expect(projectsAround(home, fake)).toEqual([]);
  git(main, "worktree", "add", "-q", join(fake, "real"));
  writeFileSync(join(fake, ".git"), `gitdir: ${join(main, ".git", "worktrees", "real")}\n`);
  expect(projectsAround(home, fake)).toEqual([]);
  expect(projectsAround(home, join(fake, "real"))).toHaveLength(1);
});
