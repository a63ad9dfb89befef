import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scene } from "@guards/shell";
import { type Hook, type HookCase, paths, runCase } from "@hookpkg/sdk";
import { build } from "./build.ts";
import guard from "./guard.ts";
import manifest from "./hookpkg.json" with { type: "json" };
import { judgeCommand, judgeFiles } from "./judge.ts";
import { patternsOf } from "./patterns.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/guards");
const links: Record<string, string> = JSON.parse(readFileSync(join(FIXTURES, "links.json"), "utf8"));

type Call = { cwd: string; tool_name: string; tool_input: Record<string, unknown> };
type Line = { id: string; want: "cancel" | "continue"; why: string; event: Call };
const corpus: Line[] = readFileSync(join(FIXTURES, "paths.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const cases: HookCase[] = ["must-cancel", "must-pass", "options"].flatMap((file) =>
  JSON.parse(readFileSync(join(import.meta.dir, "test/cases", `${file}.json`), "utf8")),
);

const patterns = patternsOf(manifest.options.paths.default, "/home/dev");

/** The corpus was labelled in a tree with these links. */
function judge(event: Call): string | undefined {
  const scene: Scene = { cwd: event.cwd, project: event.cwd, home: "/home/dev", link: (path) => links[path] };
  if (event.tool_name === "Bash") return judgeCommand(`${event.tool_input.command}`, scene, patterns);
  return judgeFiles(paths(event), scene, patterns);
}

describe("corpus", () => {
  test.each(corpus.map((line) => [line.id, line.want, line.why, line] as const))(
    "%s: %s, %s",
    (_id, want, _why, { event }) => {
      const reason = judge(event);
      expect(reason === undefined ? "continue" : "cancel").toBe(want);
      // One line that says something: it is all that the agent reads.
      if (reason !== undefined) expect(reason).toMatch(/^\S.{10,400}$/);
    },
  );
});

type Variant = { want: "cancel" | "continue"; cwd: string; command: string };
const variants: Variant[] = readFileSync(join(FIXTURES, "paths-variants.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

describe("variants", () => {
  test.each(variants.map((one) => [one.want, one.command, one] as const))("%s: %s", (want, command, { cwd }) => {
    expect(judge({ cwd, tool_name: "Bash", tool_input: { command } }) === undefined ? "continue" : "cancel").toBe(want);
  });
});

describe("the package's own cases", () => {
  test.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    expect((await runCase(guard as Hook, one)).problem).toBeUndefined();
  });
});

describe("the handler", () => {
  const write = (path: unknown, cwd = "/home/dev/work/app"): HookCase => ({
    name: "case",
    event: "PreToolUse",
    input: { cwd, tool_name: "Write", tool_input: { file_path: path, content: "" } },
    want: { answer: "cancel" },
  });

  test("cancels a call that names no file, or no command, that could be read", async () => {
    expect((await runCase(guard as Hook, write(7))).problem).toBeUndefined();
    const bash = { ...write(7), input: { tool_name: "Bash", tool_input: { command: 7 } } };
    expect((await runCase(guard as Hook, bash)).problem).toBeUndefined();
  });

  test("follows links that are on the disk, and protects the link's own name too", async () => {
    const project = mkdtempSync(join(tmpdir(), "guard-"));
    symlinkSync(".env", join(project, "cfg"));
    symlinkSync("settings.txt", join(project, ".env.local"));
    const run = (path: string) => runCase(guard as Hook, write(path, project), { project });
    const [through, own, other] = await Promise.all([run("cfg"), run(".env.local"), run("settings.txt")]);
    rmSync(project, { recursive: true });
    expect([through.problem, own.problem]).toEqual([undefined, undefined]);
    expect(other.answer).toEqual({ answer: "continue" });
  });

  test("says nothing after the fact", async () => {
    expect((await runCase(guard as Hook, { ...write("/etc/x"), event: "PostToolUse" })).answer).toEqual({
      answer: "continue",
    });
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
