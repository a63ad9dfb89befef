import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, hookpkg, refusal, type Typed, temporaryFolder } from "../author/test-program.ts";
import { must, waiting, writeGuard } from "./test-project.ts";

/** Options decide what a guard minds, and the project's file with them is an agent's to write. */
setDefaultTimeout(60_000);

const DOWN = "\u001b[B";
const ENTER = "\r";
const APPROVE = DOWN + DOWN + ENTER;
const CHOICES = "later: it stays";

async function optioned() {
  const base = temporaryFolder();
  writeGuard(base.path, {
    manifest: { options: { word: { type: "string", default: "rm -rf", description: "what is refused" } } },
    code: `export default (event, { options }) => JSON.stringify(event.tool_input).includes(options.word)
      ? { answer: "cancel", reason: "no" } : undefined;\n`,
  });
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  return base;
}

function setWord(base: string, word: string): void {
  const file = join(base, ".hookpkg/project.json");
  const project = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...project, options: { "file:./guard": { word } } }));
}

const runs = async (base: string) => (await hookpkg(base, "try", "rm -rf x")).out;

test("options that change after the page was shown are not signed", async () => {
  using base = await optioned();
  // Typed when the page was shown and answered, and just before the key signs.
  const swapping = Object.defineProperty(["first approval", ""] as [string, string], 1, {
    get() {
      setWord(base.path, "never-this");
      return DOWN + ENTER;
    },
  });
  const script: Typed[] = [[CHOICES, APPROVE], swapping];
  const { code, screen } = await atTerminal(base.path, ["approve"], script);
  expect([code, screen]).toEqual([1, expect.stringContaining("E_APPROVE_OPTIONS")]);
  expect(await runs(base.path)).not.toContain("cancelled");
});

test("the page shows each value that is not the package's own and who set it, and that its cases ran without", async () => {
  using base = await optioned();
  setWord(base.path, "never-this");
  const { screen } = await atTerminal(base.path, ["approve"], [[CHOICES, ENTER]]);
  expect(screen).toContain(`!  word: "never-this", set by this project; the package has "rm -rf"`);
  expect(screen).toContain("with the package's own options, not those above");
});

test("by identity the project's options are approved only when they are named, too", async () => {
  using base = await optioned();
  const key = join(base.path, "ci.key");
  await must(hookpkg(base.path, "keygen", "--automation", key, "--no-passphrase"));
  const [plain] = await waiting(base.path);
  expect(plain).not.toHaveProperty("options");
  setWord(base.path, "never-this");
  const [one] = (await waiting(base.path)) as { identity: string; options?: string }[];
  const words = ["approve", "--identity", one?.identity ?? "", "--key", key];
  expect(await refusal(base.path, ...words)).toEqual([1, "E_APPROVE_OPTIONS"]);
  const other = `sha256:${"0".repeat(64)}`;
  expect(await refusal(base.path, ...words, "--options", other)).toEqual([1, "E_OPTIONS_UNKNOWN"]);
  await must(hookpkg(base.path, ...words, "--options", one?.options ?? ""));
  expect(await runs(base.path)).not.toContain("cancelled");
  setWord(base.path, "rm -rf");
  await must(hookpkg(base.path, ...words));
  expect(await runs(base.path)).toContain("cancelled");
});
