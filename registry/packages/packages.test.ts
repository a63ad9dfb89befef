import { afterAll, describe, expect, test } from "bun:test";
import { openCheckpoint, verifyConsistency, verifyReceipt } from "@hookpkg/log";
import { openRegistry } from "@hookpkg/protocol";
import { logLeaf, releaseSubject, statementDigest, verifyScopeChain } from "@hookpkg/signing";
import { parseScope, parseVersion } from "@hookpkg/spec";
import { newAuthor, publishAll, release } from "../testing/author.ts";
import { startRegistry } from "../testing/server.ts";

const started = await startRegistry();
const registry = openRegistry(started.url);
afterAll(started.stop);

const [acme, beta] = [await newAuthor("@acme"), await newAuthor("@beta")];
const versions = ["1.0.0", "1.2.0", "2.0.0-rc.1", "1.1.0"];
const ready = await Promise.all(versions.map((version) => release(acme, version)));
await publishAll(started.url, acme, ready);
await publishAll(started.url, beta, [await release(beta, "0.1.0-beta.1", { name: "only-beta" })]);

describe("metadata", () => {
  test("versions by precedence, handlers with what they may do", async () => {
    const { metadata } = await registry.metadata("@acme/no-rm");
    expect(metadata).toMatchObject({ name: "@acme/no-rm", latest: "1.2.0" });
    expect(metadata?.versions.map(({ version }) => version)).toEqual(["2.0.0-rc.1", "1.2.0", "1.1.0", "1.0.0"]);
    expect(metadata?.versions[3]).toEqual({
      version: "1.0.0",
      statement: statementDigest(ready[0]?.envelope),
      tarSha256: ready[0]?.packed.sha256 ?? "sha256:",
      bytes: ready[0]?.packed.tar.length ?? 0,
      index: 1,
      description: "Says no to rm.",
      handlers: [
        {
          ...ready[0]?.release.handlers[0],
          id: "no-rm",
          identity: expect.stringMatching(/^hk1:/),
          event: "PreToolUse",
          may: ["cancel"],
          capabilities: expect.objectContaining({ net: [], write: [] }),
        },
      ],
    });
    expect((await registry.metadata("@beta/only-beta")).metadata?.latest).toBe("0.1.0-beta.1");
  });

  test("304 until something new is there", async () => {
    const first = await registry.metadata("@acme/no-rm");
    expect(first.etag).not.toBeNull();
    const tag = first.etag ?? "";
    expect(await registry.metadata("@acme/no-rm", tag)).toEqual({ metadata: null, etag: tag });
    await publishAll(started.url, beta, [await release(beta, "1.0.0")]);
    expect((await registry.metadata("@acme/no-rm", tag)).metadata).toBeNull();
    await publishAll(started.url, acme, [await release(acme, "1.0.1")]);
    const later = await registry.metadata("@acme/no-rm", tag);
    expect(later.metadata?.versions.map(({ version }) => version)).toContain("1.0.1");
    expect(later.etag).not.toBe(tag);
  });

  test("what isn't there", async () => {
    await expect(registry.metadata("@acme/nothing")).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
    await expect(registry.version("@acme/no-rm", "9.9.9")).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
  });
});

describe("resolve", () => {
  const chosen = async (packages: Record<string, string>) =>
    (await registry.resolve({ packages })).packages.map(({ name, version }) => `${name}@${version}`);

  test("the highest in the range, pre-releases only where asked for", async () => {
    expect(await chosen({ "@acme/no-rm": "^1.0.0" })).toEqual(["@acme/no-rm@1.2.0"]);
    expect(await chosen({ "@acme/no-rm": "~1.0.0" })).toEqual(["@acme/no-rm@1.0.1"]);
    expect(await chosen({ "@acme/no-rm": "*" })).toEqual(["@acme/no-rm@1.2.0"]);
    expect(await chosen({ "@acme/no-rm": "2.0.0-rc.1" })).toEqual(["@acme/no-rm@2.0.0-rc.1"]);
    expect(await chosen({ "@acme/no-rm": ">=2.0.0-rc.0" })).toEqual(["@acme/no-rm@2.0.0-rc.1"]);
  });

  test("everything to verify it in one answer, against one checkpoint, from the one that the client knows", async () => {
    const known = openCheckpoint(await registry.checkpoint(), (await registry.root()).key);
    await publishAll(started.url, beta, [await release(beta, "1.1.0")]);
    const answer = await registry.resolve({
      packages: { "@beta/no-rm": "^1", "@acme/no-rm": "^1" },
      since: known.size,
    });
    const { key } = await registry.root();
    const head = openCheckpoint(answer.checkpoint, key);
    expect(head.size).toBe(known.size + 1);
    verifyConsistency(
      known,
      head,
      answer.consistency.map((hash) => new Uint8Array(Buffer.from(hash, "base64"))),
    );
    for (const { name, version, envelope, receipt } of answer.packages) {
      const subject = releaseSubject(name as `@${string}/${string}`, parseVersion(version));
      expect(verifyReceipt(receipt, logLeaf("release", subject, statementDigest(envelope)), key)).toEqual(head);
    }
    expect(answer.scopes.map(({ scope }) => scope)).toEqual(["@acme", "@beta"]);
    for (const { scope, chain } of answer.scopes) {
      await verifyScopeChain(
        chain.map(({ envelope }) => envelope),
        parseScope(scope),
      );
      for (const { receipt } of chain) expect(receipt.checkpoint).toBe(answer.checkpoint);
    }
  });

  test("all or nothing, naming each that is missing", async () => {
    const packages = { "@acme/no-rm": "^1", "@acme/nothing": "*", "@beta/no-rm": "^7" };
    await expect(registry.resolve({ packages })).rejects.toMatchObject({
      code: "E_REGISTRY_NOT_FOUND",
      facts: {
        missing: [
          { name: "@acme/nothing", range: "*" },
          { name: "@beta/no-rm", range: "^7" },
        ],
      },
    });
  });

  test("a checkpoint from a log that is longer than ours", async () => {
    const longer = registry.resolve({ packages: { "@acme/no-rm": "^1" }, since: 1_000_000 });
    await expect(longer).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND", facts: { since: 1_000_000 } });
  });
});
