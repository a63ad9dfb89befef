import { afterAll, expect, test } from "bun:test";
import { verifyReceipt } from "@hookpkg/log";
import { logLeaf, releaseSubject, statementDigest } from "@hookpkg/signing";
import { newAuthor, publishAll, release } from "../testing/author.ts";
import { startRegistry } from "../testing/server.ts";

const started = await startRegistry();
afterAll(started.stop);

test("what was published is served, provably", async () => {
  const author = await newAuthor("@acme");
  const ready = await release(author, "1.0.0");
  const registry = await publishAll(started.url, author, [ready]);
  const { key, digest } = await registry.root();
  expect(digest).toBe(started.root);
  const answered = await registry.version("@acme/no-rm", "1.0.0");
  const leaf = logLeaf(
    "release",
    releaseSubject(ready.release.name, ready.release.version),
    statementDigest(answered.envelope),
  );
  expect(verifyReceipt(answered.receipt, leaf, key).size).toBe(2);
  expect(await registry.blob(ready.packed.sha256)).toEqual(ready.packed.tar);
});
