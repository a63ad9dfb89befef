import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { arrows } from "./boundaries/graph.ts";
import { importsOf } from "./boundaries/imports.ts";
import { readTree, type Tree, workspacesOf } from "./boundaries/tree.ts";
import { violations } from "./boundaries/violations.ts";

const root = dirname(import.meta.dir);

describe("the tree", () => {
  const tree = readTree(root);

  test("holds the graph", () => {
    expect(violations(tree)).toEqual([]);
  });

  test("was really read: every row of the graph has its workspace and its files", () => {
    const folders = workspacesOf(tree).map(({ folder }) => folder);
    const rows = Object.keys(arrows).filter((row) => row !== "bench");
    for (const row of rows) expect(folders.filter((folder) => new Bun.Glob(row).match(folder))).not.toEqual([]);
    expect([...tree.keys()]).toContain("test/boundaries.test.ts");
    expect(importsOf("x.test.ts", tree.get("test/boundaries.test.ts") ?? "").map((one) => one.specifier)).toContain(
      "./boundaries/violations.ts",
    );
  });
});

/** A small tree that holds the graph, with the files given on top of it. */
function treeWith(files: Record<string, string>): Tree {
  const manifest = (name: string, ...dependencies: string[]) =>
    JSON.stringify({ name, dependencies: Object.fromEntries(dependencies.map((one) => [one, "1.0.0"])) });
  return new Map(
    Object.entries({
      "package.json": JSON.stringify({ workspaces: ["packages/*", "packages/guards/*", "registry", "runtime", "cli"] }),
      "packages/fault/package.json": manifest("@hookpkg/fault"),
      "packages/spec/package.json": manifest("@hookpkg/spec", "@hookpkg/fault", "zod"),
      "packages/sdk/package.json": manifest("@hookpkg/sdk", "@hookpkg/spec"),
      "packages/guards/paths/package.json": manifest("@guards/paths", "@hookpkg/sdk"),
      "registry/package.json": manifest("@hookpkg/registry", "@hookpkg/spec"),
      "runtime/package.json": manifest("@hookpkg/runtime", "@hookpkg/spec", "@hookpkg/sdk"),
      "cli/package.json": manifest("hookpkg", "@hookpkg/registry", "@hookpkg/runtime", "@hookpkg/spec"),
      ...files,
    }),
  );
}

const inFile = (path: string, source: string) => violations(treeWith({ [path]: source }));

describe("allowed", () => {
  test.each([
    ["an arrow of the graph", "packages/spec/a.ts", `import { Fault } from "@hookpkg/fault";`],
    ["a declared package, and a path in it", "packages/spec/a.ts", `import { z } from "zod"; import "zod/mini";`],
    ["built-in modules", "packages/fault/a.ts", `import "node:fs"; import "bun"; import "bun:sqlite"; import "path";`],
    ["own files", "packages/spec/a/b.ts", `export { x } from "../c.ts"; import y from "./d.json";`],
    ["the sdk where workers start", "runtime/run/a.ts", `import { defineHook } from "@hookpkg/sdk";`],
    ["the registry when reached", "cli/a.ts", `const { serve } = await import("@hookpkg/registry");`],
    ["the registry's types", "cli/a.ts", `import type { App } from "@hookpkg/registry";`],
    ["the registry in a test", "cli/a.test.ts", `import { serve } from "@hookpkg/registry";`],
    ["fixtures in a test", "packages/spec/a.test.ts", `import x from "../../fixtures/x.json";`],
    ["handlers loaded by path", "runtime/run/worker.ts", "await import(path);"],
    [
      "imports that are only talked about",
      "packages/fault/a.ts",
      `// import "@hookpkg/spec"\nconst s = 'import "zod"';`,
    ],
  ])("%s", (_, path, source) => {
    expect(inFile(path, source)).toEqual([]);
  });
});

describe("refused", () => {
  test.each([
    ["an arrow that is not in the graph", "packages/fault/a.ts", `import "@hookpkg/spec";`, "arrow"],
    ["a cycle through the command", "runtime/a.ts", `import "hookpkg";`, "arrow"],
    ["a guard past the sdk", "packages/guards/paths/a.ts", `import "@hookpkg/spec";`, "arrow"],
    ["an arrow for types only", "packages/fault/a.ts", `import type { Name } from "@hookpkg/spec";`, "arrow"],
    ["an arrow in a test", "packages/fault/a.test.ts", `import { parse } from "@hookpkg/spec";`, "arrow"],
    ["an arrow that package.json lacks", "registry/a.ts", `import "@hookpkg/fault";`, "undeclared"],
    ["a relative path into another workspace", "packages/spec/a.ts", `import "../fault/index.ts";`, "leaves"],
    ["a relative path into a guard", "packages/spec/a.ts", `import "../guards/paths/a.ts";`, "leaves"],
    ["a relative path to the root", "cli/a.ts", `import manifest from "../package.json";`, "leaves"],
    ["fixtures in the product", "packages/spec/a.ts", `import x from "../../fixtures/x.json";`, "leaves"],
    ["an absolute path", "packages/spec/a.ts", `import "/tmp/x.ts";`, "leaves"],
    ["another's inside", "packages/spec/a.ts", `import "@hookpkg/fault/table.ts";`, "deep"],
    ["another's inside, in a test", "cli/a.test.ts", `import "@hookpkg/runtime/gate/gate.ts";`, "deep"],
    ["the own name", "packages/spec/a.ts", `import "@hookpkg/spec";`, "self"],
    ["a package that package.json lacks", "packages/fault/a.ts", `import { z } from "zod";`, "undeclared"],
    ["a scoped package that package.json lacks", "cli/a.ts", `import "@clack/prompts/x";`, "undeclared"],
    ["the sdk elsewhere in the runtime", "runtime/gate/a.ts", `import "@hookpkg/sdk";`, "narrowed"],
    ["the sdk's types elsewhere in the runtime", "runtime/a.ts", `import type { H } from "@hookpkg/sdk";`, "narrowed"],
    ["the registry at the start of the command", "cli/a.ts", `import { serve } from "@hookpkg/registry";`, "eager"],
    ["the registry re-exported", "cli/a.ts", `export { serve } from "@hookpkg/registry";`, "eager"],
    ["types in a statement that still loads", "cli/a.ts", `import { type App } from "@hookpkg/registry";`, "eager"],
    ["a specifier that nobody can read", "cli/a.ts", `await import("@hookpkg/" + name);`, "computed"],
  ])("%s", (_, path, source, rule) => {
    const found = inFile(path, source);
    expect(found).toHaveLength(1);
    expect(found[0]).toStartWith(`${rule}: ${path}:1 `);
  });

  test.each([
    ["import", `import "@hookpkg/spec";`],
    ["import type", `import type { A } from "@hookpkg/spec";`],
    ["import … =", `import spec = require("@hookpkg/spec");`],
    ["export from", `export { a } from "@hookpkg/spec";`],
    ["export type from", `export type { A } from "@hookpkg/spec";`],
    ["export *", `export * from "@hookpkg/spec";`],
    ["import()", `const a = () => import("@hookpkg/spec");`],
    ["import() of a template", "await import(`@hookpkg/spec`);"],
    ["import() as a type", `type A = import("@hookpkg/spec").A; type B = typeof import("./b.ts");`],
    ["require", `const a = require("@hookpkg/spec");`],
    ["require.resolve", `require.resolve("@hookpkg/spec");`],
    ["import.meta.resolve", `import.meta.resolve("@hookpkg/spec");`],
    ["new URL", `new Worker(new URL("../spec/a.ts", import.meta.url));`],
  ])("in the form of %s", (_, source) => {
    expect(inFile("packages/fault/a.ts", source)).toHaveLength(1);
  });

  test.each(["tsx", "mts", "js", "mjs"])("in a file that ends in .%s", (end) => {
    expect(inFile(`packages/fault/a.${end}`, `import "@hookpkg/spec";`)).toHaveLength(1);
  });

  test("with the line", () => {
    expect(inFile("packages/fault/a.ts", `\n// one\nimport "@hookpkg/spec";`)).toEqual([
      "arrow: packages/fault/a.ts:3 @hookpkg/spec",
    ]);
  });

  test("an arrow that only package.json draws", () => {
    const manifest = JSON.stringify({ name: "@hookpkg/fault", devDependencies: { "@hookpkg/spec": "1.0.0" } });
    expect(inFile("packages/fault/package.json", manifest)).toEqual([
      "arrow: packages/fault/package.json @hookpkg/spec",
    ]);
  });

  test("a workspace without a row in the graph", () => {
    expect(inFile("packages/extra/package.json", JSON.stringify({ name: "@hookpkg/extra" }))).toEqual([
      "no row: packages/extra",
    ]);
  });

  test("a file that does not parse", () => {
    expect(() => inFile("packages/fault/a.ts", "import {")).toThrow("does not parse");
  });
});
