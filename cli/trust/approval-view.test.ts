import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyFileHead } from "@hookpkg/signing";
import { atTerminal, hookpkg, type Typed } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  guardCode,
  must,
  stateOf,
  testProject,
  waiting,
  withStdin,
  writeGuard,
} from "./test-project.ts";

setDefaultTimeout(60_000);

const DOWN = "\u001b[B";
const ENTER = "\r";
const [LATER, LOOK, APPROVE, REJECT, QUIT] = [0, 1, 2, 3, 4].map((steps) => DOWN.repeat(steps) + ENTER) as [
  string,
  string,
  string,
  string,
  string,
];
const keyFile = (base: string) => join(base, "home/config/keys/approver.key");
const CHOICES = "later: it stays";
/** The sign of a question that is open: shown once for each. */
const NEXT = "◆";
const withPassphrase: Typed[] = [
  ["first approval", ENTER],
  ["Passphrase for your approvals", `horse${ENTER}`],
  ["the same again", `horse${ENTER}`],
];

test("the first approval shows everything in order, makes a sealed key, and the guard runs", async () => {
  using base = await testProject();
  const { code, screen } = await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE], ...withPassphrase]);
  expect(code).toBe(0);
  const parts = [
    `${GUARD}: new`,
    "what it can do to you",
    "cancels calls",
    "what it reacts to",
    "PreToolUse of Bash",
    "who made it",
    "unsigned, from this project",
    "its own cases",
    "2 cases passed",
  ];
  expect(parts.map((part) => screen.indexOf(part)).filter((at) => at < 0)).toEqual([]);
  expect(parts.map((part) => screen.indexOf(part))).toEqual(
    [...parts.map((part) => screen.indexOf(part))].sort((a, b) => a - b),
  );
  expect(screen).not.toContain("horse");
  expect(keyFileHead(readFileSync(keyFile(base.path))).encrypted).toBe(true);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain(`cancelled, by ${GUARD}`);
});

test("Enter alone means later: nothing is approved and no key is made", async () => {
  using base = await testProject();
  const before = stateOf(base.path);
  expect((await atTerminal(base.path, ["approve"], [[CHOICES, LATER]])).code).toBe(0);
  expect((await atTerminal(base.path, ["install"], [[CHOICES, LATER]])).code).toBe(3);
  expect((await atTerminal(base.path, ["approve"], [[CHOICES, QUIT]])).code).toBe(0);
  expect(stateOf(base.path)).toEqual(before);
});

test.each([
  ["at the question", [[CHOICES, "\u0003"]]],
  [
    "after a yes, at the new key",
    [
      [CHOICES, APPROVE],
      ["first approval", "\u0003"],
    ],
  ],
  [
    "while the passphrase is typed",
    [
      [CHOICES, APPROVE],
      ["first approval", ENTER],
      ["Passphrase", "hor\u0003"],
    ],
  ],
  ["or Ctrl-D at the question", [[CHOICES, "\u0004"]]],
  [
    "or Ctrl-D for a passphrase",
    [
      [CHOICES, APPROVE],
      ["first approval", ENTER],
      ["Passphrase", "\u0004"],
    ],
  ],
] satisfies [string, Typed[]][])("Ctrl-C %s ends with 130 and has changed nothing", async (_, script) => {
  using base = await testProject();
  const before = stateOf(base.path);
  expect((await atTerminal(base.path, ["approve"], script)).code).toBe(130);
  expect(stateOf(base.path)).toEqual(before);
});

test("a wrong passphrase approves nothing; the right one does", async () => {
  using base = await testProject();
  await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE], ...withPassphrase]);
  writeGuard(base.path, { code: guardCode("mkfs") });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const before = stateOf(base.path);
  const wrong: Typed = [NEXT, `cow${ENTER}`];
  const refused = await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE], wrong, wrong, wrong, wrong]);
  expect([refused.code, refused.screen]).toEqual([1, expect.stringContaining("E_KEY_PASSPHRASE")]);
  expect(stateOf(base.path)).toEqual(before);
  const right: Typed = [NEXT, `horse${ENTER}`];
  const { code, screen } = await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE], wrong, right]);
  expect([code, screen]).toEqual([0, expect.stringContaining("what changed since you approved hk1:")]);
  expect((await hookpkg(base.path, "try", "mkfs x")).out).toContain("cancelled");
});

test("no passphrase is a choice of its own, and status says so", async () => {
  using base = await testProject();
  await atTerminal(
    base.path,
    ["approve"],
    [
      [CHOICES, APPROVE],
      ["first approval", DOWN + ENTER],
    ],
  );
  expect(keyFileHead(readFileSync(keyFile(base.path))).encrypted).toBe(false);
  expect((await must(hookpkg(base.path, "status"))).out).toContain("no passphrase");
});

test("look shows the files, hidden signs included; reject asks no more", async () => {
  using base = await testProject();
  writeGuard(base.path, { code: `// safe\u202e\u200b\n${guardCode()}` });
  const { code, screen } = await atTerminal(
    base.path,
    ["approve"],
    [[CHOICES, LOOK], [NEXT, REJECT], ...withPassphrase],
  );
  expect(code).toBe(0);
  expect(screen).toContain("+// safe<U+202E><U+200B>");
  expect(await waiting(base.path)).toEqual([]);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("no approved handler");
});

test("what widens is marked, and a guard that fails its own cases is called so", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const wider = { may: ["cancel", "patch"], failMode: "open", timeout: 60 };
  writeGuard(base.path, { code: guardCode("mkfs"), handler: wider, manifest: { capabilities: { env: ["TOKEN"] } } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const { screen } = await atTerminal(base.path, ["approve"], [[CHOICES, LATER]]);
  expect(screen).toContain("  !+ rewrites calls before they run");
  expect(screen).toContain("  !+ gets the value of TOKEN");
  expect(screen).toContain("   + when it fails or is late, the action passes");
  expect(screen).toContain("   + runs the module guard.ts, for 60 s");
  expect(screen).toContain("1 of 2 cases FAILED: a removal");
});

test("an automation key that is listed keeps others out: a person's key is not made behind it", async () => {
  using base = await testProject();
  await must(hookpkg(base.path, "keygen", "--automation", join(base.path, "ci.key")));
  const refused = await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE]]);
  expect([refused.code, refused.screen]).toEqual([1, expect.stringContaining("E_APPROVER_MISSING")]);
  expect(existsSync(keyFile(base.path))).toBe(false);
  const words = ["approve", "--key", join(base.path, "ci.key")];
  expect((await atTerminal(base.path, words, [[CHOICES, APPROVE]])).code).toBe(0);
  expect(await waiting(base.path)).toEqual([]);
});

test("approvals that cannot be read can be begun anew, by the person's key and never by Enter alone", async () => {
  using base = await testProject();
  await atTerminal(
    base.path,
    ["approve"],
    [
      [CHOICES, APPROVE],
      ["first approval", DOWN + ENTER],
    ],
  );
  writeFileSync(join(base.path, "home/state/approvals.json"), "{", { mode: 0o600 });
  const before = stateOf(base.path);
  expect((await atTerminal(base.path, ["approve"], [["Begin anew", ENTER]])).screen).toContain("cannot be read");
  expect(stateOf(base.path)).toEqual(before);
  expect((await hookpkg(base.path, "try", "ls")).out).toContain("cancelled");
  const script: Typed[] = [
    ["Begin anew", DOWN + ENTER],
    [NEXT, APPROVE],
  ];
  expect((await atTerminal(base.path, ["approve"], script)).code).toBe(0);
  expect((await hookpkg(base.path, "try", "ls")).out).toContain("would go on");
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
});

test("an open key signs nothing while a host works in the project, whatever terminal asks; a sealed one does", async () => {
  using base = await testProject();
  await must(
    withStdin(base.path, ["run", "claude-code"], { stdin: eventText(base.path, "ls", { session_id: "at-work" }) }),
  );
  const open: Typed[] = [
    [CHOICES, APPROVE],
    ["first approval", DOWN + ENTER],
  ];
  const refused = await atTerminal(base.path, ["approve"], open);
  expect([refused.code, refused.screen]).toEqual([1, expect.stringContaining("E_APPROVER_OPEN")]);
  expect(existsSync(keyFile(base.path))).toBe(false);
  const end = eventText(base.path, "", { session_id: "at-work", hook_event_name: "SessionEnd", reason: "exit" });
  await must(withStdin(base.path, ["run", "claude-code"], { stdin: end }));
  expect((await atTerminal(base.path, ["approve"], open)).code).toBe(0);
  writeGuard(base.path, { code: guardCode("mkfs") });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await must(
    withStdin(base.path, ["run", "claude-code"], { stdin: eventText(base.path, "ls", { session_id: "another" }) }),
  );
  const again = await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE]]);
  expect([again.code, again.screen]).toEqual([1, expect.stringContaining("E_APPROVER_OPEN")]);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
});

test("what is typed ahead of a passphrase, or while it is checked, is never shown; the echo is back at the end", async () => {
  using base = await testProject();
  const sealed: Typed[] = [
    ["first approval", ENTER],
    ["Passphrase for your approvals", `horse${ENTER}`],
    ["the same again", `horse${ENTER}`],
  ];
  await atTerminal(base.path, ["approve"], [[CHOICES, APPROVE], ...sealed]);
  writeGuard(base.path, { code: guardCode("mkfs") });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const program = [process.execPath, join(import.meta.dir, "../main.ts"), "approve", "--home", join(base.path, "home")];
  const words = program.map((word) => `'${word}'`).join(" ");
  const { screen } = await atTerminal(
    base.path,
    [],
    [
      [CHOICES, APPROVE],
      ["Passphrase of", `cow${ENTER}`],
      ["\u001b[?25h", "donkey"],
      ["passphrase is wrong", ""],
      [NEXT, `${"\u007f".repeat(6)}horse${ENTER}`],
    ],
    ["/bin/sh", "-c", `${words}; stty`],
  );
  expect(screen).not.toMatch(/horse|donkey|cow/);
  expect(screen).not.toContain("-echo ");
});

test("a terminal that says it has no columns shows the question once", async () => {
  using base = await testProject();
  const program = [process.execPath, join(import.meta.dir, "../main.ts"), "approve", "--home", join(base.path, "home")];
  const words = program.map((word) => `'${word}'`).join(" ");
  const command = ["/bin/sh", "-c", `stty cols 0 rows 0; exec ${words}`];
  const { code, screen } = await atTerminal(base.path, [], [[CHOICES, LATER]], command);
  expect([code, screen.split("look: every field and file").length]).toEqual([0, 2]);
});

test("look shows code before tests, and README and licence last", async () => {
  using base = await testProject();
  writeFileSync(join(base.path, "guard/LICENSE"), "MIT");
  writeFileSync(join(base.path, "guard/README.md"), "# read me");
  const { out } = await hookpkg(base.path, "diff");
  const at = ["  guard.ts\n", "  hookpkg.json\n", "  test/cases/cases.json\n", "  LICENSE\n", "  README.md\n"];
  expect(at.map((path) => out.indexOf(path))).toEqual(at.map((path) => out.indexOf(path)).sort((a, b) => a - b));
  expect(out.indexOf("  guard.ts\n")).toBeGreaterThan(0);
});
