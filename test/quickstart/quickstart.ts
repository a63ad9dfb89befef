import { appendFileSync, chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, openStage, type Ran, ROOT, type Stage, say } from "./stage.ts";

/**
 * The main job on real input, step by step, in a home and project that are gone afterwards. Everything is real but the hosts:
 * their events are replayed from captures. Any step that does not end as it says makes this exit with 1.
 */
async function quickstart(stage: Stage): Promise<void> {
  title("What is real here");
  say("  Real: registry, signatures, log, store, approvals, sandbox, guards and every hookpkg process.");
  say(
    "  Replayed: the hosts. Events were captured from Codex 0.171.0 and Claude Code 2.1.332; replaced in them are only",
  );
  say(
    "  the command, the path, the cwd and the tool call's id. Nothing is deleted: hookpkg only says what a host must do.",
  );

  title("1. A registry on this machine, a publisher's key and a scope");
  const registry = await startRegistry(stage);
  await must(stage.hookpkg(["keygen", "--scope", "@guards", "--no-passphrase"]));
  await must(
    stage.hookpkg(["scope", "claim", "@guards", "--registry", registry.url, "--registry-root", registry.root]),
  );

  title("2. Two guards, built, tested in the sandbox, packed, signed and published");
  for (const guard of ["no-destructive-shell", "protected-paths"]) {
    const folder = join(ROOT, "packages/guards", guard);
    await Bun.$`${process.execPath} ${join(folder, "build.ts")}`.quiet();
    await must(stage.hookpkg(["publish", folder, "--registry", registry.url]));
  }

  title("3. Installed in a project: signature, log receipt, integrity, tree and identities verified");
  await must(stage.hookpkg(["init"]));
  await must(stage.hookpkg(["install", "@guards/no-destructive-shell@1.0.0", "@guards/protected-paths@1.0.0"]), 3);

  title("4. Nothing runs before you approve it");
  const wipe = { command: "rm -rf ~" };
  await continues(stage, "codex", capture("codex", "PreToolUse", stage, wipe), "before approval");
  await endSession(stage, "codex");

  title("5. Approved by identity, signed by a key of yours");
  const key = join(stage.folder, "approver.key");
  await must(stage.hookpkg(["keygen", "--automation", key, "--no-passphrase"]));
  await approveAll(stage, key);

  title("6. Events of Codex and Claude Code");
  await continues(stage, "codex", capture("codex", "PreToolUse", stage), "a harmless command");
  await cancels(stage, "codex", capture("codex", "PreToolUse", stage, wipe), "a delete of the home directory");
  await cancels(stage, "claude-code", capture("claude", "PreToolUse", stage, wipe), "the same in Claude Code");
  const env = { file_path: join(stage.project, ".env") };
  await cancels(stage, "claude-code", capture("claude", "PreToolUse.Write", stage, env), "a write to .env");

  title("7. A new version with one changed byte of code");
  const changed = changedGuard(stage);
  await must(stage.hookpkg(["publish", changed, "--registry", registry.url]));
  await must(stage.hookpkg(["install", "@guards/no-destructive-shell@1.0.1"]), 3);
  check(
    (await must(stage.hookpkg(["status"]), 3)).stdout.includes("modified"),
    "the handler is modified: the new bytes wait",
  );
  await cancels(stage, "codex", capture("codex", "PreToolUse", stage, wipe), "the approved bytes still guard");
  await must(stage.hookpkg(["diff"]));
  say("  While a host's session is live, no automation key may approve:");
  await must(stage.hookpkg(["approve", "--identity", await waiting(stage), "--key", key]), 1);
  await endSession(stage, "codex");
  await endSession(stage, "claude-code");
  await approveAll(stage, key);
  check(!(await must(stage.hookpkg(["status"]))).stdout.includes("modified"), "approval switched to the new bytes");

  title("8. Somebody edits the lock: the guard's line is gone");
  dropFromLock(stage, "@guards/no-destructive-shell");
  await cancels(stage, "codex", capture("codex", "PreToolUse", stage, wipe), "the approved guard runs on");

  title("9. Somebody edits the stored code behind the runtime's back");
  tamperStore(stage);
  const held = await cancels(
    stage,
    "codex",
    capture("codex", "PreToolUse", stage),
    "held: even a harmless command is refused",
  );
  check(held.stdout.includes("no-destructive-shell"), "the reason says which guard is held");

  title("10. The journal");
  const journal = (await must(stage.hookpkg(["log"]))).stdout;
  for (const word of ["cancel", "held", "continue"])
    check(journal.includes(word), `the journal has a line with: ${word}`);
}

async function startRegistry(stage: Stage): Promise<{ url: string; root: string }> {
  const { firstLine } = await stage.serve(["registry", "serve", "--data", join(stage.folder, "registry"), "--json"]);
  say(`  ${firstLine}`);
  const { data }: { data: { url: string; root: string } } = JSON.parse(firstLine);
  return data;
}

async function must(running: Promise<Ran>, exit = 0): Promise<Ran> {
  const ran = await running;
  check(ran.exit === exit, `exit ${exit}`, ran);
  return ran;
}

async function continues(stage: Stage, host: string, event: string, what: string): Promise<void> {
  const ran = await asked(stage, host, event);
  check(ran.exit === 0 && !/deny|block/.test(ran.stdout), `${what}: it continues`, ran);
}

/** Both hosts obey exit 0 with this deny and a reason (and nothing else in it). */
async function cancels(stage: Stage, host: string, event: string, what: string): Promise<Ran> {
  const ran = await asked(stage, host, event);
  const answer = ran.exit === 0 && ran.stdout !== "" ? JSON.parse(ran.stdout).hookSpecificOutput : undefined;
  const denied = answer?.permissionDecision === "deny" && answer.permissionDecisionReason !== "";
  check(denied, `${what}: cancelled, with a reason the host obeys`, ran);
  return ran;
}

async function endSession(stage: Stage, host: "codex" | "claude-code"): Promise<void> {
  const event = capture(host === "codex" ? "codex" : "claude", "SessionEnd", stage);
  const ran = await asked(stage, host, event);
  check(ran.exit === 0, "exit 0", ran);
}

/** One event of a host on stdin of `hookpkg run`; what the event is about stands before the command. */
async function asked(stage: Stage, host: string, event: string): Promise<Ran> {
  const { hook_event_name, tool_name, tool_input }: Captured = JSON.parse(event);
  const about = tool_input?.command ?? tool_input?.file_path;
  say(`# ${[hook_event_name, tool_name].filter(Boolean).join(" ")}${about === undefined ? "" : `: ${about}`}`);
  const ran = await stage.hookpkg(["run", host, "--project", stage.project], { stdin: event });
  if (ran.stdout === "" && ran.exit === 0) say("  (nothing printed, exit 0: the host goes on)");
  return ran;
}

type Captured = { hook_event_name: string; tool_name?: string; tool_input?: { command?: string; file_path?: string } };

async function approveAll(stage: Stage, key: string): Promise<void> {
  const listed = await stage.hookpkg(["approve", "--list", "--json"], { quiet: true });
  const { data }: { data: { waiting: { handler: string; identity: string }[] } } = JSON.parse(listed.stdout);
  check(data.waiting.length > 0, "something waits", listed);
  for (const { identity } of data.waiting) await must(stage.hookpkg(["approve", "--identity", identity, "--key", key]));
}

async function waiting(stage: Stage): Promise<string> {
  const listed = await stage.hookpkg(["approve", "--list", "--json"], { quiet: true });
  const { data }: { data: { waiting: { identity: string }[] } } = JSON.parse(listed.stdout);
  return data.waiting[0]?.identity ?? "";
}

/** The published folder again, as 1.0.1, with one byte more in its code. */
function changedGuard(stage: Stage): string {
  const folder = join(stage.folder, "no-destructive-shell");
  cpSync(join(ROOT, "packages/guards/no-destructive-shell"), folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  const manifest = join(folder, "hookpkg.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"1.0.0"', '"1.0.1"'));
  appendFileSync(join(folder, "dist/guard.js"), "\n");
  return folder;
}

function dropFromLock(stage: Stage, name: string): void {
  const file = join(stage.project, ".hookpkg/lock.json");
  const lock: { packages: Record<string, unknown> } = JSON.parse(readFileSync(file, "utf8"));
  delete lock.packages[name];
  writeFileSync(file, JSON.stringify(lock));
  say(`  (removed ${name} from .hookpkg/lock.json)`);
}

function tamperStore(stage: Stage): void {
  const store = join(stage.home, "data/store");
  for (const tree of readdirSync(store)) {
    const file = join(store, tree, "dist/guard.js");
    if (!readFileSync(join(store, tree, "hookpkg.json"), "utf8").includes("no-destructive-shell")) continue;
    chmodSync(file, 0o644);
    appendFileSync(file, "// nothing to see here\n");
  }
  say("  (appended a comment to dist/guard.js in the store)");
}

function title(text: string): void {
  say(`\n== ${text}`);
}

function check(holds: boolean, what: string, ran?: Ran): void {
  if (holds && !what.startsWith("exit")) say(`  ✓ ${what}`);
  if (holds) return;
  throw new Error(`this did not happen: ${what}${ran ? `\nexit ${ran.exit}\n${ran.stdout}${ran.stderr}` : ""}`);
}

const stage = openStage(process.env.HOOKPKG_PROGRAM);
try {
  await quickstart(stage);
  say("\nAll of it happened.");
} catch (error) {
  say(`\nquickstart failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await stage.close();
}
