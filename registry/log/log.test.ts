import { afterAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { emptyRoot, grow, type Node, openCheckpoint, rootHash, tilePath, verifyConsistency } from "@hookpkg/log";
import { openRegistry } from "@hookpkg/protocol";
import { sha256 } from "@hookpkg/spec";
import { QUIET } from "../outside.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { newAuthor, publishAll, release } from "../testing/author.ts";
import { startRegistry } from "../testing/server.ts";
import { createSequencer } from "./sequencer.ts";

const started = await startRegistry();
const registry = openRegistry(started.url);
afterAll(started.stop);

const author = await newAuthor("@acme");
await publishAll(
  started.url,
  author,
  await Promise.all(["1.0.0", "1.1.0", "1.2.0", "1.3.0"].map((v) => release(author, v))),
);

test("anybody can recompute the root from the entries, and the tiles hold the same hashes", async () => {
  const head = openCheckpoint(await registry.checkpoint(), (await registry.root()).key);
  expect(head.size).toBe(5);
  const entries = await unbundle(tilePath({ level: "entries", index: 0, width: head.size }));
  expect(JSON.parse(new TextDecoder().decode(entries[1]))).toMatchObject({
    kind: "release",
    subject: "@acme/no-rm@1.0.0",
  });
  const { nodes } = await grow({ read: () => [] }, 0, entries);
  const tree = (asked: readonly Node[]) =>
    asked.map(
      ({ level, index }) =>
        nodes.find((node) => node.level === level && node.index === index)?.hash ?? new Uint8Array(),
    );
  expect(await rootHash({ read: tree }, head.size)).toEqual(head.root);
  const tile = await (await fetch(`${started.url}/${tilePath({ level: 0, index: 0, width: head.size })}`)).bytes();
  expect(tile).toEqual(new Uint8Array(Buffer.concat(tree(entries.map((_, index) => ({ level: 0, index }))))));
});

test("each earlier size is proved to be continued", async () => {
  const { key } = await registry.root();
  const head = openCheckpoint(await registry.checkpoint(), key);
  for (let from = 0; from <= head.size; from++) {
    const { proof } = await registry.consistency(from, head.size);
    const hashes = proof.map((hash) => new Uint8Array(Buffer.from(hash, "base64")));
    if (from === head.size || from === 0) expect(hashes).toEqual([]);
    else expect(() => verifyConsistency({ size: from, root: new Uint8Array(32) }, head, hashes)).toThrow();
  }
});

test.each([
  "tile/0/000",
  "tile/0/000.p/9",
  "tile/1/000.p/1",
  "tile/9/000",
  "tile/entries/%2e%2e/%2e%2e/log-key.json",
  "tile/",
])("not there: %s", async (path) => {
  const answer = await fetch(`${started.url}/${path}`);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    expect.objectContaining({ code: "E_REGISTRY_NOT_FOUND" }),
  ]);
});

test("consistency beyond the log, or backwards", async () => {
  for (const [from, to] of [
    [1, 99],
    [3, 2],
  ] as const) {
    await expect(registry.consistency(from, to)).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
  }
});

test("two sequencers on one store lose and double nothing", async () => {
  const store = openSqliteStore(":memory:");
  await store.initHead({ size: 0, root: emptyRoot(), note: "" });
  const { privateKey } = generateKeyPairSync("ed25519");
  const parts = { store, origin: "test", privateKey, outside: QUIET, remember: async () => {} };
  const [one, two] = [createSequencer(parts), createSequencer(parts)];
  const receipts = await Promise.all(
    Array.from({ length: 600 }, async (_, n) => {
      const statement = sha256(`${n}`);
      const added = await store.addVersion({
        ...{ name: "@acme/a", version: `1.0.${n}`, statement, envelope: "{}", summary: "{}", tarSha256: statement },
        leaf: new TextEncoder().encode(`${n}`),
      });
      return (n % 2 === 0 ? one : two).logged("entry" in added ? added.entry : -1);
    }),
  );
  expect(receipts.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 600 }, (_, n) => n),
  );
  expect((await store.head())?.size).toBe(600);
  await store.close();
});

test("an entry is not acknowledged while its checkpoint can't be written", async () => {
  const store = openSqliteStore(":memory:");
  await store.initHead({ size: 0, root: emptyRoot(), note: "" });
  const { privateKey } = generateKeyPairSync("ed25519");
  let full = true;
  const remember = async () => {
    if (full) throw new Error("no space left on device");
  };
  const sequencer = createSequencer({ store, origin: "test", privateKey, outside: QUIET, remember });
  const statement = sha256("s");
  const row = {
    name: "@acme/a",
    version: "1.0.0",
    statement,
    envelope: "{}",
    summary: "{}",
    tarSha256: statement,
  } as const;
  const added = await store.addVersion({ ...row, leaf: Uint8Array.of(1) });
  const entry = "entry" in added ? added.entry : -1;
  for (let n = 0; n < 2; n++) await expect(sequencer.logged(entry)).rejects.toThrow("no space left");
  full = false;
  expect((await sequencer.logged(entry)).index).toBe(0);
  await store.close();
});

async function unbundle(path: string): Promise<Uint8Array[]> {
  const bytes = await (await fetch(`${started.url}/${path}`)).bytes();
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    entries.push(bytes.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return entries;
}
