import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testFolder } from "../test-folder.ts";
import { belongsToRoot } from "./programs.ts";
import { checkSandbox, judge } from "./self-test.ts";

const uid = process.getuid?.() ?? -1;
const fresh = () => ({
  worker: process.execPath,
  cache: join(testFolder(), "self-test"),
  uid,
});

test("this machine's sandbox holds, and what held is remembered without a trace of the canary", async () => {
  const options = fresh();
  expect(await checkSandbox(options)).toMatchObject({
    available: true,
    host: { mode: { kind: uid === 0 ? "root" : "user" } },
  });
  expect(readdirSync(dirname(options.cache))).toEqual(["self-test"]);
  const first = readFileSync(options.cache, "utf8");
  expect(await checkSandbox(options)).toMatchObject({ available: true });
  writeFileSync(options.cache, first.replace(/"boot":"[^"]+"/, '"boot":"another"'));
  expect(await checkSandbox(options)).toMatchObject({ available: true });
  expect(readFileSync(options.cache, "utf8")).toBe(first);
});

test("without bubblewrap it is unavailable, and nothing is remembered", async () => {
  const options = { ...fresh(), bwrap: ["/nowhere/bwrap"] };
  expect(await checkSandbox(options)).toMatchObject({
    available: false,
    fault: { code: "E_SANDBOX_NO_BWRAP", facts: { looked: ["/nowhere/bwrap"] } },
  });
  expect(existsSync(options.cache)).toBe(false);
});

test("a bubblewrap that others can change is none", async () => {
  const path = join(testFolder(), "bwrap");
  writeFileSync(path, "#!/bin/sh\nexit 0\n");
  chmodSync(path, 0o777);
  expect(belongsToRoot(path)).toBe(false);
  expect(await checkSandbox({ ...fresh(), bwrap: [path] })).toMatchObject({
    available: false,
    fault: { code: "E_SANDBOX_NO_BWRAP" },
  });
});

test.each([
  ["/bin/true", "E_SANDBOX_START"],
  ["/bin/false", "E_SANDBOX_START"],
])("a program that only plays bubblewrap (%s) makes it unavailable", async (bwrap, code) => {
  expect(await checkSandbox({ ...fresh(), bwrap: [bwrap] })).toMatchObject({ available: false, fault: { code } });
});

test("the words of a refused namespace are told apart", () => {
  const said = (stderr: string) => judge({ how: "exited", code: 1, ...none, stderr: Buffer.from(stderr) })?.code;
  expect(said("bwrap: setting up uid map: Permission denied")).toBe("E_SANDBOX_NO_USERNS");
  expect(said("bwrap: No permissions to create new namespace, likely because …")).toBe("E_SANDBOX_NO_USERNS");
  expect(said("bwrap: prctl(PR_SET_SECCOMP): Invalid argument")).toBe("E_SANDBOX_SECCOMP");
});

test.each([
  [{ filter: { filterOn: false, keysRefused: true }, walls: { hostHidden: false } }, "E_SANDBOX_SECCOMP", ["filterOn"]],
  [{ filter: { filterOn: true }, walls: { hostHidden: false, notRoot: true } }, "E_SANDBOX_LEAK", ["hostHidden"]],
])("a canary that sings makes it unavailable: %j", (report, code, missed) => {
  const end = { how: "exited", code: 0, ...none, stdout: Buffer.from(JSON.stringify(report)) } as const;
  expect(judge(end)).toMatchObject({ code, facts: { missed } });
});

test("a report that can't be read is a leak, not a pass", () => {
  expect(judge({ how: "exited", code: 0, ...none, stdout: Buffer.from("{}") })).toMatchObject({
    code: "E_SANDBOX_LEAK",
  });
});

const none = { stdout: new Uint8Array(), stderr: new Uint8Array(), stdoutCut: false, stderrCut: false, ms: 1 };
