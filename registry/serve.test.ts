import { afterAll, expect, test } from "bun:test";
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { openRegistry } from "@hookpkg/protocol";
import { serveRegistry } from "./index.ts";
import { newAuthor, publishAll, release } from "./testing/author.ts";
import { emptyFolder } from "./testing/server.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function folder(): Promise<string> {
  const made = await emptyFolder();
  folders.push(made);
  return made;
}

const author = await newAuthor("@acme");
const [one, two] = [await release(author, "1.0.0"), await release(author, "2.0.0")];

/** A folder with one release in it, and a copy of it from before the second. */
async function usedFolder(): Promise<{ dataDir: string; copy: string }> {
  const [dataDir, copy] = [await folder(), await folder()];
  for (const ready of [one, two]) {
    const serving = await serveRegistry({ dataDir });
    await publishAll(serving.url, author, [ready]);
    await serving.stop();
    if (ready === one) cpSync(dataDir, copy, { recursive: true });
  }
  return { dataDir, copy };
}

const codeOfServing = (dataDir: string) =>
  serveRegistry({ dataDir }).then(
    async ({ stop }) => {
      await stop();
      return "started";
    },
    (error) => error.code,
  );

test("a second start serves the same log under the same root", async () => {
  const dataDir = await folder();
  const first = await serveRegistry({ dataDir });
  await publishAll(first.url, author, [one]);
  const before = await openRegistry(first.url).checkpoint();
  await first.stop();
  const second = await serveRegistry({ dataDir });
  expect(second.root).toBe(first.root);
  expect(await openRegistry(second.url).checkpoint()).toBe(before);
  expect((await openRegistry(second.url).root()).digest).toBe(first.root);
  await second.stop();
});

test("two registries have different logs", async () => {
  const servings = [await serveRegistry({ dataDir: await folder() }), await serveRegistry({ dataDir: await folder() })];
  expect(new Set(servings.map(({ root }) => root)).size).toBe(2);
  for (const { stop } of servings) await stop();
});

test("a database restored from an old copy does not start", async () => {
  const { dataDir, copy } = await usedFolder();
  restoreDatabase(copy, dataDir);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_BEHIND");
});

test("a database that went on otherwise after an old copy does not start", async () => {
  const { dataDir, copy } = await usedFolder();
  const serving = await serveRegistry({ dataDir: copy });
  await publishAll(serving.url, author, [
    await release(author, "2.0.0", { note: "other" }),
    await release(author, "2.1.0"),
  ]);
  await serving.stop();
  restoreDatabase(copy, dataDir);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_FORKED");
});

test("a used log without its checkpoint, its key, or with a foreign or damaged key does not start", async () => {
  const { dataDir } = await usedFolder();
  const [checkpoint, key] = [join(dataDir, "checkpoint"), join(dataDir, "log-key.json")];
  const [note, keyFile] = [readFileSync(checkpoint), readFileSync(key)];
  rmSync(checkpoint);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_CHECKPOINT_MISSING");
  writeFileSync(checkpoint, note);
  rmSync(key);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_KEY_MISSING");
  expect(existsSync(key)).toBe(false);
  for (const damaged of ["", "{}", keyFile.toString().slice(0, -9), '{"v":1,"origin":"a","pkcs8":"AAAA"}']) {
    writeFileSync(key, damaged, { mode: 0o600 });
    expect(await codeOfServing(dataDir)).toBe("E_SERVE_KEY_FILE");
  }
  const other = await usedFolder();
  copyFileSync(join(other.dataDir, "log-key.json"), key);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_KEY_FOREIGN");
  writeFileSync(key, keyFile);
  writeFileSync(checkpoint, "garbage");
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_KEY_FOREIGN");
  writeFileSync(checkpoint, note);
  expect(await codeOfServing(dataDir)).toBe("started");
});

test("the log's key is its owner's alone", async () => {
  const dataDir = await folder();
  expect(await codeOfServing(dataDir)).toBe("started");
  const key = join(dataDir, "log-key.json");
  expect(statSync(key).mode & 0o777).toBe(0o600);
  chmodSync(key, 0o640);
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_KEY_MODE");
});

test("one folder has one server; a taken port gives the folder back", async () => {
  const [dataDir, other] = [await folder(), await folder()];
  const serving = await serveRegistry({ dataDir });
  expect(await codeOfServing(dataDir)).toBe("E_SERVE_IN_USE");
  const port = Number(new URL(serving.url).port);
  await expect(serveRegistry({ dataDir: other, port })).rejects.toMatchObject({ code: "E_SERVE_LISTEN" });
  expect(await codeOfServing(other)).toBe("started");
  await serving.stop();
  expect(await codeOfServing(dataDir)).toBe("started");
});

test("stopping twice is stopping once, and ends requests in flight in order", async () => {
  const serving = await serveRegistry({ dataDir: await folder() });
  const registry = openRegistry(serving.url);
  await registry.putScope("@acme", 0, author.claim);
  await registry.putBlob(one.packed.tar);
  const publishing = registry.publish("@acme/no-rm", "1.0.0", one.envelope);
  await Bun.sleep(0);
  await Promise.all([serving.stop(), serving.stop()]);
  const outcome = await publishing.then(
    () => "published",
    (error) => error.code,
  );
  expect(["published", "E_REGISTRY_UNREACHABLE", "E_REGISTRY_STOPPING", "E_REGISTRY_TRUNCATED"]).toContain(outcome);
  await expect(registry.checkpoint()).rejects.toMatchObject({ code: "E_REGISTRY_UNREACHABLE" });
});

test("a client that never ends its request doesn't keep the server from stopping", async () => {
  const serving = await serveRegistry({ dataDir: await folder() });
  const socket = connect(Number(new URL(serving.url).port), "127.0.0.1");
  const head = `PUT /v1/blobs/${"0".repeat(64)} HTTP/1.1\r\nhost: a\r\ncontent-type: application/octet-stream\r\n`;
  const closed = new Promise((resolve) => socket.on("error", () => {}).on("close", resolve));
  await new Promise<void>((resolve) => socket.write(`${head}content-length: 10\r\n\r\n01234`, () => resolve()));
  await Bun.sleep(20);
  await serving.stop();
  await closed;
}, 60_000);

function restoreDatabase(from: string, to: string): void {
  for (const name of ["registry.sqlite", "registry.sqlite-wal", "registry.sqlite-shm"]) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}
