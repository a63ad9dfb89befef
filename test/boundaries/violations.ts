import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { arrows, computes, faces, lazy, narrowed } from "./graph.ts";
import { type Import, importsOf } from "./imports.ts";
import { type Tree, type Workspace, workspacesOf } from "./tree.ts";

export type Rule =
  | "no row" // the workspace is missing from the graph
  | "arrow" // the graph does not allow this workspace to use that one
  | "leaves" // a relative or absolute path out of the workspace
  | "deep" // into another workspace past its index
  | "self" // the workspace's own name, where a relative path belongs
  | "undeclared" // not in the workspace's package.json
  | "narrowed" // allowed in one folder of the workspace only
  | "eager" // must be an `import()`
  | "computed"; // a specifier that nobody can check by reading

export type Violation = `${Rule}: ${string}`;

/** All breaches of the graph in a tree, as `rule: file:line specifier`. */
export function violations(tree: Tree): Violation[] {
  const workspaces = workspacesOf(tree);
  const found = workspaces.flatMap((from) => manifestViolations(from, workspaces));
  for (const [path, source] of tree) {
    const from = workspaces.find(({ folder }) => path.startsWith(`${folder}/`));
    if (from === undefined || path.endsWith("/package.json")) continue;
    for (const one of importsOf(path, source)) {
      const rule = broken({ path, one, from, workspaces });
      if (rule !== undefined) found.push(`${rule}: ${path}:${one.line} ${one.specifier ?? "?"}`);
    }
  }
  return found;
}

/** A dependency that a package.json declares is an arrow too, used or not. */
function manifestViolations(from: Workspace, workspaces: Workspace[]): Violation[] {
  if (rowOf(from) === undefined) return [`no row: ${from.folder}`];
  const targets = workspaces.filter(({ name }) => from.declared.has(name));
  return targets
    .filter((to) => !allows(from, to))
    .map((to): Violation => `arrow: ${from.folder}/package.json ${to.name}`);
}

type Case = { path: string; one: Import; from: Workspace; workspaces: Workspace[] };

function broken({ path, one, from, workspaces }: Case): Rule | undefined {
  const { specifier } = one;
  const isTest = isTestFile(path);
  if (specifier === undefined)
    return isTest || computes.some((glob) => new Bun.Glob(glob).match(path)) ? undefined : "computed";
  if (/^(\.|\/|file:)/.test(specifier)) return leaves(path, specifier, from, workspaces) ? "leaves" : undefined;
  if (isBuiltin(specifier) || specifier === "bun" || specifier.startsWith("bun:")) return undefined;
  const name = packageNameOf(specifier);
  const to = workspaces.find((workspace) => workspace.name === name);
  if (to === undefined) return from.declared.has(name) ? undefined : "undeclared";
  if (to === from) return "self";
  if (specifier !== name && !faces.some((face) => face === specifier)) return "deep";
  if (!allows(from, to)) return "arrow";
  if (!from.declared.has(name)) return "undeclared";
  const narrow = narrowed.find((rule) => rule.workspace === from.folder && rule.imports === to.folder);
  if (narrow !== undefined && !path.startsWith(narrow.onlyIn)) return "narrowed";
  const isLazy = lazy.some((rule) => rule.workspace === from.folder && rule.imports === to.folder);
  return isLazy && one.loads === "at start" && !isTest ? "eager" : undefined;
}

/** Fixtures are data that any test may read; else a path that ends in another workspace, or in none, leaves. */
function leaves(path: string, specifier: string, from: Workspace, workspaces: Workspace[]): boolean {
  if (!specifier.startsWith(".")) return true;
  const target = posix.join(posix.dirname(path), specifier);
  if (target.startsWith("fixtures/") && isTestFile(path)) return false;
  const owner = workspaces.find(({ folder }) => target === folder || target.startsWith(`${folder}/`));
  return owner !== from;
}

function isTestFile(path: string): boolean {
  return path.startsWith("test/") || /\.test\.[a-z]+$/.test(path);
}

function allows(from: Workspace, to: Workspace): boolean {
  const row = rowOf(from) ?? [];
  return row.includes("*") || row.some((folder) => new Bun.Glob(folder).match(to.folder));
}

function rowOf({ folder }: Workspace): readonly string[] | undefined {
  const row = Object.keys(arrows).find((pattern) => new Bun.Glob(pattern).match(folder));
  return row === undefined ? undefined : arrows[row];
}

function packageNameOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
