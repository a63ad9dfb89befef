import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scene } from "@guards/shell";
import { type Hook, type HookCase, runCase } from "@hookpkg/sdk";
import { build } from "./build.ts";
import guard from "./guard.ts";
import { judge } from "./judge.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/guards");
const links: Record<string, string> = JSON.parse(readFileSync(join(FIXTURES, "links.json"), "utf8"));

type Line = {
  id: string;
  want: "cancel" | "continue";
  why: string;
  event: { cwd: string; tool_input: { command: string } };
};
const corpus: Line[] = readFileSync(join(FIXTURES, "shell.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const cases: HookCase[] = ["must-cancel", "must-pass"].flatMap((file) =>
  JSON.parse(readFileSync(join(import.meta.dir, "test/cases", `${file}.json`), "utf8")),
);

/** The corpus was labelled in a tree with these links. */
function scene(cwd: string): Scene {
  return { cwd, project: cwd, home: "/home/dev", link: (path) => links[path] };
}

describe("corpus", () => {
  test.each(corpus.map((line) => [line.id, line.want, line.why, line] as const))(
    "%s: %s, %s",
    (_id, want, _why, { event }) => {
      const reason = judge(event.tool_input.command, scene(event.cwd));
      expect(reason === undefined ? "continue" : "cancel").toBe(want);
      // One line that says something: it is all that the agent reads.
      if (reason !== undefined) expect(reason).toMatch(/^\S.{10,400}$/);
    },
  );
});

type Variant = { want: "cancel" | "continue"; cwd: string; command: string };
const variants: Variant[] = readFileSync(join(FIXTURES, "shell-variants.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

describe("variants", () => {
  test.each(variants.map((one) => [one.want, one.command, one] as const))("%s: %s", (want, command, { cwd }) => {
    expect(judge(command, scene(cwd)) === undefined ? "continue" : "cancel").toBe(want);
  });
});

describe("the package's own cases", () => {
  test.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    expect((await runCase(guard as Hook, one)).problem).toBeUndefined();
  });
});

describe("the handler", () => {
  const bash = (command: unknown, cwd = "/home/dev/work/app"): HookCase => ({
    name: "case",
    event: "PreToolUse",
    input: { cwd, tool_name: "Bash", tool_input: { command } },
    want: { answer: "cancel" },
  });

  test("cancels a call whose command is no text", async () => {
    expect((await runCase(guard as Hook, bash(["rm", "-rf", "/"]))).problem).toBeUndefined();
  });

  test("leaves other tools and events alone", async () => {
    const write = {
      ...bash(""),
      input: { tool_name: "Write", tool_input: { file_path: "/etc/x", content: "rm -rf /" } },
    };
    expect((await runCase(guard as Hook, write)).answer).toEqual({ answer: "continue" });
    const after: HookCase = { ...bash("rm -rf ~"), event: "PostToolUse" };
    expect((await runCase(guard as Hook, after)).answer).toEqual({ answer: "continue" });
  });

  test("takes the project's root from the host, not from the folder that the call starts in", async () => {
    const project = "/home/dev/work/app";
    const fromPackage = bash("rm -rf ../../dist", `${project}/packages/a`);
    expect((await runCase(guard as Hook, fromPackage, { project })).answer).toEqual({ answer: "continue" });
    const root = bash("rm -rf ../..", `${project}/packages/a`);
    expect((await runCase(guard as Hook, root, { project })).problem).toBeUndefined();
  });

  test("never takes a home or the root for a project", async () => {
    for (const project of ["/home/dev", "/", "/root"]) {
      expect((await runCase(guard as Hook, bash("rm -rf photos", project), { project })).problem).toBeUndefined();
    }
  });

  test("follows links that are on the disk", async () => {
    const project = mkdtempSync(join(tmpdir(), "guard-"));
    symlinkSync("/srv/other", join(project, "out"));
    const through = await runCase(guard as Hook, bash("rm -rf out/*", project), { project });
    const itself = await runCase(guard as Hook, bash("rm -rf out", project), { project });
    rmSync(project, { recursive: true });
    expect(through.problem).toBeUndefined();
    expect(itself.answer).toEqual({ answer: "continue" });
  });

  test("gives up on what is too long or too deep, by cancelling", async () => {
    const deep = "$(".repeat(3000) + ")".repeat(3000);
    const long = `echo ${"a ".repeat(200_000)}`;
    const wide = "if a; then b=1; else b=2; fi; ".repeat(9000);
    for (const command of [`echo ${deep}`, long, wide]) {
      expect((await runCase(guard as Hook, bash(command))).problem).toBeUndefined();
    }
  });
});

describe("what is published", () => {
  let built: Hook;
  let bytes: string;
  const dist = join(import.meta.dir, "dist/guard.js");

  beforeAll(async () => {
    await build();
    bytes = readFileSync(dist, "utf8");
    ({ default: built } = await import(dist));
  });

  test("judges as the sources do", async () => {
    for (const one of cases) expect((await runCase(built, one)).problem).toBeUndefined();
  });

  test("imports the SDK and built-in modules only, and names its licences", () => {
    const imports = new Bun.Transpiler({ loader: "js" }).scanImports(bytes).map(({ path }) => path);
    expect(imports.filter((path) => path !== "@hookpkg/sdk" && !path.startsWith("node:"))).toEqual([]);
    expect(readFileSync(join(import.meta.dir, "dist/THIRD-PARTY-LICENSES.txt"), "utf8")).toContain("unbash");
  });

  test("is the same when it is built again", async () => {
    await build();
    expect(readFileSync(dist, "utf8")).toBe(bytes);
  });
});

describe("a project below a temporary folder", () => {
  const project = "/tmp/x/home/dev/work/app";
  const below = (command: string) =>
    judge(command, { cwd: project, project, home: "/tmp/x/home/dev", link: () => undefined });

  test("has a home and neighbours that are not scratch", () => {
    for (const command of ["rm -rf ../other", "rm -rf ~/photos", "rm -rf ..", "rm -rf ."])
      expect(below(command)).toBeString();
  });

  test("has scratch elsewhere, and outputs of its own", () => {
    for (const command of ["rm -rf /tmp/y", "rm -rf dist"]) expect(below(command)).toBeUndefined();
  });
});
