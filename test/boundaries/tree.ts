import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the rules look at: paths from the root to text, source files and the package.json of every workspace. */
export type Tree = ReadonlyMap<string, string>;

export type Workspace = { folder: string; name: string; declared: ReadonlySet<string> };

const SOURCE_ENDS = "ts,tsx,mts,cts,js,jsx,mjs,cjs";

/** The files of a checkout that belong to a workspace of its root package.json. */
export function readTree(root: string): Tree {
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const tree = new Map([["package.json", manifest]]);
  // One plain glob each: a glob with braces inside braces finds nothing.
  const globs = foldersOf(manifest).flatMap((folder) => [`${folder}/package.json`, `${folder}/**/*.{${SOURCE_ENDS}}`]);
  const paths = new Set(globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]));
  for (const path of [...paths].sort()) {
    if (!/(^|\/)(node_modules|dist)\//.test(path)) tree.set(path, readFileSync(join(root, path), "utf8"));
  }
  return tree;
}

/** The workspaces of a tree, innermost folder first, so that the first whose folder holds a file owns it. */
export function workspacesOf(tree: Tree): Workspace[] {
  const globs = foldersOf(tree.get("package.json") ?? "{}").map((folder) => new Bun.Glob(`${folder}/package.json`));
  return [...tree]
    .filter(([path]) => globs.some((glob) => glob.match(path)))
    .map(([path, text]) => workspace(path.slice(0, -"/package.json".length), JSON.parse(text)))
    .sort((a, b) => b.folder.length - a.folder.length);
}

function foldersOf(manifest: string): string[] {
  const { workspaces = [] }: { workspaces?: string[] } = JSON.parse(manifest);
  return workspaces;
}

type Manifest = Partial<Record<"dependencies" | "devDependencies" | "peerDependencies", Record<string, string>>>;

function workspace(folder: string, manifest: Manifest & { name: string }): Workspace {
  const { name, dependencies, devDependencies, peerDependencies } = manifest;
  return { folder, name, declared: new Set(Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })) };
}
