import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { storageFolder } from "../gate/gate.ts";
import { serveStorage } from "./storage.ts";
import { folder, module, shell } from "./test-run.ts";

const MIB = 1024 * 1024;
const place = () => join(folder(), "name.storage");
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

test("a value is what was set, until it is set anew or deleted", async () => {
  const at = place();
  const ask = (...args: unknown[]) => serveStorage(at, 1, args);
  expect([await ask("get", "a"), await ask("list"), await ask("delete", "a"), existsSync(at)]).toEqual([
    [],
    [],
    false,
    false,
  ]);
  for (const value of [1, "text", null, { a: [1, { b: "ü" }] }, false]) {
    await ask("set", "a", value);
    expect(await ask("get", "a")).toEqual([value]);
  }
  await ask("set", "b/../c ü", 2);
  expect([await ask("list"), await ask("list", "b/"), await ask("list", null)]).toEqual([
    ["a", "b/../c ü"],
    ["b/../c ü"],
    ["a", "b/../c ü"],
  ]);
  expect([await ask("delete", "a"), await ask("get", "a"), await ask("list")]).toEqual([true, [], ["b/../c ü"]]);
  expect([
    statSync(at).mode & 0o777,
    readdirSync(at).every((name) => (statSync(join(at, name)).mode & 0o777) === 0o600),
  ]).toEqual([0o700, true]);
});

test.each([
  ["an empty key", ["get", ""]],
  ["a long key", ["get", "x".repeat(151)]],
  ["a torn key", ["get", "\ud800"]],
  ["a key that is none", ["get", 1]],
  ["no key", ["get"]],
  ["an unknown verb", ["clear"]],
  ["a large value", ["set", "a", "x".repeat(MIB)]],
  ["no list", "get"],
])("%s is refused", async (_, args) => {
  expect(await codeOf(serveStorage(place(), 64, args))).toBe("E_STORAGE");
});

test("above its quota nothing is added; what is there stays, and can be made smaller", async () => {
  const at = place();
  const half = "x".repeat(MIB / 2 - 100);
  await serveStorage(at, 1, ["set", "a", half]);
  await serveStorage(at, 1, ["set", "b", half]);
  expect(await codeOf(serveStorage(at, 1, ["set", "c", "x".repeat(300)]))).toBe("E_STORAGE_QUOTA");
  await serveStorage(at, 1, ["set", "b", "small"]);
  await serveStorage(at, 1, ["set", "c", "x".repeat(300)]);
  expect(await serveStorage(at, 1, ["list"])).toEqual(["a", "b", "c"]);
  expect(await codeOf(serveStorage(place(), 0, ["set", "a", 1]))).toBe("E_STORAGE_QUOTA");
});

test("a thousand keys at most", async () => {
  const at = place();
  mkdirSync(at);
  for (let n = 0; n < 1000; n++) writeFileSync(join(at, `k-${Buffer.from(`${n}`).toString("base64url")}`), "1");
  expect(await codeOf(serveStorage(at, 1, ["set", "more", 1]))).toBe("E_STORAGE_QUOTA");
  expect(await codeOf(serveStorage(at, 1, ["set", "7", 1]))).toBe("null");
});

describe("links", () => {
  test("in place of a value, the half-written one, the lock or the folder lead nowhere", async () => {
    const at = place();
    const outside = join(folder(), "outside");
    writeFileSync(outside, '"outside"');
    await serveStorage(at, 1, ["set", "other", 1]);
    const value = join(at, `k-${Buffer.from("a").toString("base64url")}`);
    symlinkSync(outside, value);
    symlinkSync(outside, join(at, "new"));
    expect(await codeOf(serveStorage(at, 1, ["get", "a"]))).toBe("E_STORAGE");
    await serveStorage(at, 1, ["set", "a", 2]);
    expect([await serveStorage(at, 1, ["get", "a"]), lstatSync(value).isFile(), readFileSync(outside, "utf8")]).toEqual(
      [[2], true, '"outside"'],
    );
    const behind = place();
    symlinkSync(at, behind);
    for (const args of [["get", "a"], ["list"], ["set", "a", 3], ["delete", "a"]])
      expect(await codeOf(serveStorage(behind, 1, args))).toBe("E_STORAGE");
  });
});

test("a kill at any moment leaves the old value or the new one", async () => {
  const at = place();
  await serveStorage(at, 64, ["set", "a", { n: 0, text: "" }]);
  const script = `import { serveStorage } from ${JSON.stringify(join(import.meta.dir, "storage.ts"))};
    console.log("on"); for (let n = 1; ; n++) await serveStorage(${JSON.stringify(at)}, 64, ["set", "a", { n, text: "x".repeat(n % 100_000) }]);`;
  for (let round = 0; round < 5; round++) {
    const writer = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "ignore" });
    await writer.stdout.getReader().read();
    await Bun.sleep(20 + round * 7);
    writer.kill("SIGKILL");
    await writer.exited;
    const [value] = (await serveStorage(at, 64, ["get", "a"])) as [{ n: number; text: string }];
    expect(value.text.length).toBe(value.n % 100_000);
    expect(await codeOf(serveStorage(at, 64, ["set", "b", round]))).toBe("null");
  }
});

test("several processes at once keep within the quota", async () => {
  const at = place();
  const script = (name: string) => `import { serveStorage } from ${JSON.stringify(join(import.meta.dir, "storage.ts"))};
    for (let n = 0; n < 6; n++) await serveStorage(${JSON.stringify(at)}, 1, ["set", ${JSON.stringify(name)} + n, "x".repeat(100_000)]).catch((error) => { if (error.code !== "E_STORAGE_QUOTA") throw error });`;
  const writers = ["a", "b", "c"].map((name) =>
    Bun.spawn([process.execPath, "-e", script(name)], { stdout: "ignore", stderr: "inherit" }),
  );
  expect(await Promise.all(writers.map((writer) => writer.exited))).toEqual([0, 0, 0]);
  expect(((await serveStorage(at, 1, ["list"])) as string[]).length).toBe(10);
});

describe("as a handler has it", () => {
  const text = `export default async (event, ctx) => { try {
    const n = (await ctx.storage.get("n")) ?? 0; await ctx.storage.set("n", n + 1); await ctx.storage.set("gone", 1);
    const said = [n, await ctx.storage.delete("gone"), await ctx.storage.delete("gone"), await ctx.storage.list(), await ctx.storage.get("gone") === undefined];
    return { answer: "context", context: JSON.stringify(said) } } catch (error) { return { answer: "context", context: error.code } } }`;
  const context = (outcome: Awaited<ReturnType<typeof module>>) =>
    outcome.outcome === "answered" && outcome.answer.context;

  test("kept from call to call, by package and project, without a right", async () => {
    const dataFolder = join(folder(), "data");
    expect(context(await module(text, { call: { dataFolder } }))).toBe('[0,true,false,["n"],true]');
    expect(context(await module(text, { call: { dataFolder } }))).toBe('[1,true,false,["n"],true]');
    expect(context(await module(text, { call: { dataFolder: join(folder(), "data") } }))).toBe(
      '[0,true,false,["n"],true]',
    );
  });

  test("where no command can put a trap", async () => {
    const dataFolder = join(folder(), "data");
    await module(text, { call: { dataFolder } });
    await shell("rm -rf /data/* /data/../data.storage; ls -a / >/data/seen", { call: { dataFolder } });
    expect(readdirSync(storageFolder(dataFolder)).length).toBe(2);
    expect(readFileSync(join(dataFolder, "seen"), "utf8")).not.toContain("storage");
  });

  test("up to its limit", async () => {
    expect(context(await module(text, { capabilities: { limits: { memoryMiB: 512, dataMiB: 0 } } }))).toBe(
      "E_STORAGE_QUOTA",
    );
  });
});
