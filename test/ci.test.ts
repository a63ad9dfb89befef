import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ci = join(dirname(import.meta.dir), ".ci");
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-ci-"));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function ran(command: string[], cwd: string, env: Record<string, string | undefined> = process.env) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env, stdin: "ignore" });
  return { exitCode, lines: stdout.toString().trim().split("\n"), stderr: stderr.toString() };
}

describe("the test command", () => {
  const runTests = (source: Record<string, string>, ...args: string[]) => {
    const { exitCode, lines } = ran([process.execPath, join(ci, "tests.ts"), ...args], folderWith(source));
    return { exitCode, closing: lines.at(-1) };
  };
  const file = (body: string) => ({ "a.test.ts": `import { expect, test } from "bun:test";\n${body}` });
  const pass = `test("good", () => expect(1).toBe(1));`;

  test("passes with passed tests only", () => {
    expect(runTests(file(pass))).toEqual({ exitCode: 0, closing: "1 passed, 0 failed" });
  });

  test("fails with a failed test", () => {
    const source = file(`${pass} test("bad", () => expect(1).toBe(2));`);
    expect(runTests(source)).toEqual({ exitCode: 1, closing: "1 passed, 1 failed" });
  });

  test("fails with a skipped test", () => {
    const source = file(`${pass} test.skip("later", () => {});`);
    expect(runTests(source)).toEqual({ exitCode: 1, closing: "1 passed, 0 failed, 1 skipped" });
  });

  test("fails with a test to do", () => {
    const source = file(`${pass} test.todo("later");`);
    expect(runTests(source)).toEqual({ exitCode: 1, closing: "1 passed, 0 failed, 1 skipped" });
  });

  test("fails with a file that does not load", () => {
    const source = { ...file(pass), "b.test.ts": `throw new Error("no");` };
    expect(runTests(source)).toEqual({ exitCode: 1, closing: "1 passed, 1 failed" });
  });

  test("fails without tests", () => {
    expect(runTests({ "a.ts": "" })).toEqual({ exitCode: 1, closing: "0 passed, 1 failed" });
  });

  test("hands its arguments on", () => {
    const source = file(`${pass} test("bad", () => expect(1).toBe(2));`);
    expect(runTests(source, "-t", "good")).toEqual({ exitCode: 0, closing: "1 passed, 0 failed, 1 skipped" });
  });
});

describe("the set-up", () => {
  /** Runs ensure.mjs in a tree of its own, with only these programs (and node) to be found. */
  const setUp = (programs: Record<string, string>) => {
    const tree = folderWith({ "package.json": `{"packageManager":"bun@9.9.9"}` });
    cpSync(join(ci, "ensure.mjs"), join(tree, ".ci/ensure.mjs"));
    const bin = join(tree, "bin");
    mkdirSync(bin);
    symlinkSync(Bun.which("node") ?? "node", join(bin, "node"));
    for (const [name, body] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    return ran([join(bin, "node"), join(tree, ".ci/ensure.mjs"), "script.ts", "one"], tree, { PATH: bin });
  };
  const bun = `case "$1" in --version) echo 9.9.9;; install) exit 0;; *) echo "ran $*"; exit 7;; esac`;
  const works = "exit 0";
  const fails = "exit 1";

  test("runs the script with its arguments and hands the exit code on", () => {
    const { exitCode, lines, stderr } = setUp({ bun, bwrap: works });
    expect({ exitCode, lines, stderr }).toEqual({ exitCode: 7, lines: ["ran script.ts one"], stderr: "" });
  });

  test("takes no other version of bun, and names the command where npm can't bring the right one", () => {
    const { exitCode, stderr } = setUp({ bun: "echo 1.0.0", npm: fails, bwrap: works });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("npm install -g bun@9.9.9");
  });

  test("installs bun with npm where there is none", () => {
    const npm = `mkdir -p node_modules/.bin; printf '#!/bin/sh\\n%s' '${bun}' > node_modules/.bin/bun; chmod +x node_modules/.bin/bun`;
    const { exitCode, lines } = setUp({ npm: `PATH=/usr/bin:/bin\n${npm}`, bwrap: works });
    expect({ exitCode, lines }).toEqual({ exitCode: 7, lines: ["ran script.ts one"] });
  });

  test("names the command where bubblewrap can't be installed", () => {
    const { exitCode, stderr } = setUp({ bun, "apt-get": fails, sudo: fails });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/this mends it: {2}(sudo )?apt-get install -y bubblewrap\n/);
  });

  test("names the command where the dependencies can't be installed", () => {
    const { exitCode, stderr } = setUp({ bun: `[ "$1" = --version ] && echo 9.9.9`, bwrap: works });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("bun install --frozen-lockfile");
  });
});

test("every command of the tree brings what it needs itself, but the formatter", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(ci, "../package.json"), "utf8"),
  );
  const others = Object.entries(scripts).filter(([, script]) => !script.startsWith("node .ci/ensure.mjs "));
  expect(others.map(([name]) => name)).toEqual(["format"]);
});
