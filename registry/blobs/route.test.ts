import { afterAll, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { LIMITS } from "@hookpkg/archive";
import { MAX_BLOB_BYTES, openRegistry } from "@hookpkg/protocol";
import { hexOf, sha256 } from "@hookpkg/spec";
import { openParts, sweep } from "../open.ts";
import { QUIET } from "../outside.ts";
import { publish } from "../publish/publish.ts";
import { claim } from "../scopes/claim.ts";
import { newAuthor, publishAll, release } from "../testing/author.ts";
import { emptyFolder, startRegistry } from "../testing/server.ts";
import { openDiskBlobs } from "./blobs.ts";

const started = await startRegistry();
const registry = openRegistry(started.url);
afterAll(started.stop);

const author = await newAuthor("@acme");
const ready = await release(author, "1.0.0");
await publishAll(started.url, author, [ready]);

const blobs = join(started.dataDir, "blobs");
const kept = async () => (await readdir(blobs)).filter((name) => name !== "incoming");
const incoming = () => readdir(join(blobs, "incoming"));
const put = (
  digest: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = { "content-type": "application/octet-stream" },
) => fetch(`${started.url}/v1/blobs/${digest}`, { method: "PUT", body, headers });

test("the contract's limit is the archive's", () => {
  expect(MAX_BLOB_BYTES).toBe(LIMITS.MAX_TAR_BYTES);
});

test("201, then 200, and the bytes stay as they were", async () => {
  const bytes = new TextEncoder().encode("twice");
  expect((await put(hexOf(sha256(bytes)), bytes)).status).toBe(201);
  const again = await put(hexOf(sha256(bytes)), bytes);
  expect([again.status, await again.json()]).toEqual([200, { sha256: sha256(bytes), bytes: 5 }]);
});

test("other bytes than the address says leave nothing", async () => {
  const before = await kept();
  const answer = await put(hexOf(sha256("asked")), "sent");
  expect([answer.status, await answer.json()]).toEqual([
    422,
    expect.objectContaining({
      code: "E_REGISTRY_DIGEST",
      facts: { expected: sha256("asked"), found: sha256("sent"), bytes: 4 },
    }),
  ]);
  expect([await kept(), await incoming()]).toEqual([before, []]);
});

test("more than the limit is answered 413, said or unsaid", async () => {
  const big = new Uint8Array(MAX_BLOB_BYTES + 1);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) });
  for (const body of [big, endless]) {
    const answer = await put(hexOf(sha256(big)), body);
    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ code: "E_REGISTRY_BODY_TOO_LARGE" }),
    ]);
  }
  expect(await incoming()).toEqual([]);
});

test("a limit-sized archive is taken", async () => {
  const big = new Uint8Array(MAX_BLOB_BYTES);
  expect((await put(hexOf(sha256(big)), big)).status).toBe(201);
});

test("content types and encodings that are not the contract's", async () => {
  const digest = hexOf(sha256("x"));
  const types = [
    { "content-type": "application/json" },
    { "content-type": "" },
    { "content-type": "application/octet-stream", "content-encoding": "gzip" },
  ];
  for (const headers of types) {
    const answer = await put(digest, "x", headers);
    expect([answer.status, await answer.json()]).toEqual([
      415,
      expect.objectContaining({ code: "E_REGISTRY_MEDIA_TYPE" }),
    ]);
  }
});

test.each([
  ["content-length: 10", "01234"],
  ["transfer-encoding: chunked", "5\r\n01234\r\n"],
])("an upload that breaks off leaves nothing: %s", async (head, sent) => {
  const digest = hexOf(sha256("0123456789"));
  const socket = connect(Number(new URL(started.url).port), "127.0.0.1");
  const type = "content-type: application/octet-stream";
  socket.write(`PUT /v1/blobs/${digest} HTTP/1.1\r\nhost: a\r\n${type}\r\n${head}\r\n\r\n${sent}`);
  while ((await incoming()).length === 0) await Bun.sleep(2);
  socket.destroy();
  while ((await incoming()).length > 0) await Bun.sleep(2);
  expect(await kept()).not.toContain(digest);
});

test("an upload that stalls is given up", async () => {
  const disk = openDiskBlobs(join(started.dataDir, "stalling"), QUIET);
  const stalling = (async function* () {
    yield new Uint8Array(1);
    await new Promise(() => {});
  })();
  const upload = disk.put(sha256("x"), stalling, { maxBytes: 10, maxMs: 30 });
  await expect(upload).rejects.toMatchObject({ code: "E_REGISTRY_TIMEOUT_BODY" });
  expect(await readdir(join(started.dataDir, "stalling", "incoming"))).toEqual([]);
});

test("a published archive is served whole, in part, and for ever", async () => {
  const url = `${started.url}/v1/blobs/${hexOf(ready.packed.sha256)}`;
  const whole = await fetch(url);
  expect(await whole.bytes()).toEqual(new Uint8Array(ready.packed.tar));
  expect(whole.headers.get("cache-control")).toContain("immutable");
  expect(whole.headers.get("content-type")).toBe("application/octet-stream");
  const part = await fetch(url, { headers: { range: "bytes=512-1023" } });
  expect(part.status).toBe(206);
  expect(await part.bytes()).toEqual(new Uint8Array(ready.packed.tar.slice(512, 1024)));
});

test("what no release names is not served", async () => {
  await registry.putBlob(new TextEncoder().encode("my holiday pictures"));
  await expect(registry.blob(sha256("my holiday pictures"))).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
  await expect(registry.blob(sha256("nobody has this"))).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
});

test("a running registry sweeps what was uploaded and never published", async () => {
  let now = new Date();
  const folder = await emptyFolder();
  const parts = await openParts(folder, { ...QUIET, now: () => now });
  const upload = async (bytes: Uint8Array) => {
    const body = (async function* () {
      yield bytes;
    })();
    await parts.blobs.put(sha256(bytes), body, { maxBytes: MAX_BLOB_BYTES, maxMs: 1000 });
  };
  const orphan = new TextEncoder().encode("orphan");
  await upload(orphan);
  await upload(ready.packed.tar);
  await claim(parts, { scope: author.scope, seq: 0, envelope: author.claim });
  await publish(parts, { name: ready.release.name, version: ready.release.version, envelope: ready.envelope });
  expect(await sweep(parts)).toBe(0);
  now = new Date(now.getTime() + 61 * 60 * 1000);
  expect(await sweep(parts)).toBe(1);
  expect(parts.blobs.path(sha256(orphan))).toBeNull();
  expect(parts.blobs.path(ready.packed.sha256)).not.toBeNull();
  await parts.close();
  await rm(folder, { recursive: true });
});

test("the sweep takes what nobody named for an hour, and nothing else", async () => {
  const disk = openDiskBlobs(join(started.dataDir, "sweeping"), QUIET);
  const at = (text: string) => join(started.dataDir, "sweeping", hexOf(sha256(text)));
  const body = async function* (text: string) {
    yield new TextEncoder().encode(text);
  };
  const long = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const text of ["old", "named", "leased", "new"]) {
    await disk.put(sha256(text), body(text), { maxBytes: 100, maxMs: 1000 });
    if (text !== "new") utimesSync(at(text), long, long);
  }
  expect(await disk.lease(sha256("leased"))).toEqual(new TextEncoder().encode("leased"));
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
  expect(await disk.sweep(hourAgo, async (digest) => digest === sha256("named"))).toBe(1);
  expect(["old", "named", "leased", "new"].filter((text) => disk.path(sha256(text)) !== null)).toEqual([
    "named",
    "leased",
    "new",
  ]);
});
