import { afterAll, describe, expect, test } from "bun:test";
import { pack } from "@hookpkg/archive";
import { openRegistry } from "@hookpkg/protocol";
import { continueScope, generateKey, PAYLOAD_TYPES, releaseStatement, sign, verifyScopeChain } from "@hookpkg/signing";
import { canonicalBytes, sha256, sha512Integrity } from "@hookpkg/spec";
import { type Author, newAuthor, packageFiles, publishAll, type Ready, release } from "../testing/author.ts";
import { startRegistry } from "../testing/server.ts";

const MAX_TEST_MS = 120_000;
const started = await startRegistry();
const registry = openRegistry(started.url);
afterAll(started.stop);

const acme = await newAuthor("@acme");
await registry.putScope("@acme", 0, acme.claim);

/** Uploads and publishes over plain HTTP; the status and the code, if any. */
async function publish(ready: Ready, address = `${ready.release.name.slice(1)}/${ready.release.version}`) {
  await registry.putBlob(ready.packed.tar);
  return putEnvelope(`packages/${address}`, ready.envelope);
}

async function putEnvelope(path: string, envelope: unknown) {
  const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(envelope) };
  const response = await fetch(`${started.url}/v1/${path}`, init);
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const refused = (status: number, code: string, facts: object = {}) => ({
  status,
  body: expect.objectContaining({ status, code, facts: expect.objectContaining(facts) }),
});

describe("one version, once", () => {
  test("201, then 200 for the same statement, then 409 for another", async () => {
    const [first, other] = [await release(acme, "1.0.0"), await release(acme, "1.0.0", { note: "other" })];
    const created = await publish(first);
    expect(created).toMatchObject({ status: 201, body: { receipt: { index: expect.any(Number) } } });
    expect(await publish(first)).toMatchObject({ status: 200 });
    expect(await publish(other)).toEqual(refused(409, "E_REGISTRY_CONFLICT", { version: "1.0.0" }));
    expect((await registry.version("@acme/no-rm", "1.0.0")).envelope).toEqual(first.envelope);
  });

  test("the same statement signed again is the same release", async () => {
    const ready = await release(acme, "1.0.1");
    expect((await publish(ready)).status).toBe(201);
    const again = { ...ready.envelope, signatures: [...ready.envelope.signatures].reverse() };
    expect(await putEnvelope("packages/acme/no-rm/1.0.1", again)).toMatchObject({ status: 200 });
  });

  test(
    "of eight racing publishers one wins, and what is served is the winner's; 100 rounds",
    async () => {
      const racer = await newAuthor("@racer");
      await registry.putScope("@racer", 0, racer.claim);
      for (let round = 0; round < 100; round++) {
        const version = `1.0.${round}`;
        const all = await Promise.all(
          Array.from({ length: 8 }, (_, n) => release(racer, version, { note: `racer ${n}` })),
        );
        const answers = await Promise.all(all.map((ready) => publish(ready)));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
        const winner = all[answers.findIndex(({ status }) => status === 201)];
        const served = await registry.version("@racer/no-rm", version);
        if (winner === undefined) throw new Error("nobody won");
        expect(served.envelope).toEqual(winner.envelope);
        expect(await registry.blob(winner.packed.sha256)).toEqual(winner.packed.tar);
      }
    },
    MAX_TEST_MS,
  );

  test("fifty versions of one package at once are all there", async () => {
    const many = await newAuthor("@many");
    await registry.putScope("@many", 0, many.claim);
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => release(many, `1.${n}.0`)));
    const answers = await Promise.all(all.map((ready) => publish(ready)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { metadata } = await registry.metadata("@many/no-rm");
    expect(metadata?.versions.map(({ version }) => version)).toEqual(all.map((_, n) => `1.${49 - n}.0`));
    expect(new Set(metadata?.versions.map(({ index }) => index)).size).toBe(50);
  });
});

describe("a statement that says something else than the archive shows", () => {
  const other = pack(packageFiles("@acme/no-rm", "3.0.0", "another archive"));
  const digest = sha256("other");
  const changes = {
    tarSha512: { tarSha512: sha512Integrity(new Uint8Array()) },
    treeSha256: { treeSha256: digest },
    "handlers, another identity": { handlers: [{ id: "no-rm", identity: `hk1:${"A".repeat(43)}` as const }] },
    "handlers, another id": { handlers: [{ id: "no-mv", identity: `hk1:${"A".repeat(43)}` as const }] },
    "handlers, none": { handlers: [] },
    requires: { requires: { programs: ["git"], events: [] } },
  };
  test.each(Object.entries(changes))("%s", async (name, change) => {
    const ready = await release(acme, "3.0.0", { change });
    const [field = ""] = name.split(",");
    expect(await publish(ready)).toEqual(refused(422, "E_REGISTRY_STATEMENT", { field }));
  });

  test("the archive of another version or package", async () => {
    await registry.putBlob(other.tar);
    const { sha256: tarSha256, sha512: tarSha512, tree: treeSha256 } = other;
    const change = { tarSha256, tarSha512, treeSha256 };
    expect(await publish(await release(acme, "3.0.1", { change }))).toEqual(
      refused(422, "E_REGISTRY_STATEMENT", { field: "version" }),
    );
    expect(await publish(await release(acme, "3.0.0", { name: "other", change }))).toEqual(
      refused(422, "E_REGISTRY_STATEMENT", { field: "name" }),
    );
  });

  test("an archive that was never uploaded, that is none, or holds no package", async () => {
    expect(await publish(await release(acme, "3.0.0", { change: { tarSha256: digest } }))).toEqual(
      refused(422, "E_REGISTRY_NO_BLOB"),
    );
    const tars = {
      E_ARCHIVE_NOT_TAR: new Uint8Array(),
      E_ARCHIVE_TRUNCATED: other.tar.slice(0, 700),
      E_ARCHIVE_GZIP: Bun.gzipSync(new Uint8Array(other.tar)),
      E_PACKAGE_INVALID: pack([{ path: "a.txt", executable: false, bytes: new Uint8Array(1) }]).tar,
    };
    for (const [code, tar] of Object.entries(tars)) {
      await registry.putBlob(tar);
      const ready = await release(acme, "3.0.0", { change: { tarSha256: sha256(tar) } });
      expect(await publish(ready)).toEqual(refused(422, code));
    }
  });

  test("a previous version that isn't, or isn't that one", async () => {
    const previous = { version: "9.9.9", statement: digest };
    expect(await publish(await release(acme, "3.0.0", { change: { previous } }))).toEqual(
      refused(422, "E_REGISTRY_PREVIOUS"),
    );
    const wrong = { version: "1.0.0", statement: digest };
    expect(await publish(await release(acme, "3.0.0", { change: { previous: wrong } }))).toEqual(
      refused(422, "E_REGISTRY_PREVIOUS"),
    );
    const there = await registry.metadata("@acme/no-rm");
    const statement = there.metadata?.versions.find(({ version }) => version === "1.0.0")?.statement as typeof digest;
    expect(
      await publish(await release(acme, "1.1.0", { change: { previous: { version: "1.0.0", statement } } })),
    ).toMatchObject({
      status: 201,
    });
  });

  test("an address of another package or version", async () => {
    const ready = await release(acme, "3.0.0");
    expect(await publish(ready, "acme/no-rm/3.0.1")).toEqual(refused(422, "E_REGISTRY_ADDRESS", { field: "version" }));
    expect(await publish(ready, "acme/other/3.0.0")).toEqual(refused(422, "E_REGISTRY_ADDRESS", { field: "name" }));
  });

  test("after all that nothing of it is to be seen", async () => {
    await expect(registry.version("@acme/no-rm", "3.0.0")).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
  });
});

describe("a signer who may not", () => {
  test("a key nobody delegated, the root key, another scope's key", async () => {
    const stranger = await newAuthor("@stranger");
    await registry.putScope("@stranger", 0, stranger.claim);
    for (const key of [await generateKey(), acme.rootKey, stranger.key]) {
      expect(await publish(await release(acme, "4.0.0", { key }))).toEqual(refused(422, "E_ENVELOPE_SIGNER"));
    }
  });

  test("outside the delegated names, or after the delegation ended", async () => {
    const narrow = await newAuthor("@narrow", ["@narrow/no-rm", "@narrow/team-*"]);
    const past = await newAuthor("@past", ["@past/*"], "2020-01-01T00:00:00Z");
    await registry.putScope("@narrow", 0, narrow.claim);
    await registry.putScope("@past", 0, past.claim);
    expect((await publish(await release(narrow, "1.0.0"))).status).toBe(201);
    expect((await publish(await release(narrow, "1.0.0", { name: "team-a" }))).status).toBe(201);
    expect(await publish(await release(narrow, "1.0.0", { name: "other" }))).toEqual(refused(422, "E_RELEASE_KEY"));
    expect(await publish(await release(past, "1.0.0"))).toEqual(refused(422, "E_RELEASE_KEY"));
  });

  test("a key that the scope has withdrawn, though the statement names the older chain", async () => {
    const author = await newAuthor("@rotating");
    await publishAll(started.url, author, [await release(author, "1.0.0")]);
    const state = await verifyScopeChain([author.claim], author.scope);
    await registry.putScope(author.scope, 1, await continueScope(state, { release: [] }, [author.rootKey]));
    expect(await publish(await release(author, "1.0.1"))).toEqual(refused(422, "E_ENVELOPE_SIGNER"));
    expect((await publish(await release(author, "1.0.0"))).status).toBe(200);
  });

  test("a scope that nobody claimed, a chain that isn't that long, a name that stands for somebody else", async () => {
    const nobody = await newAuthor("@nobody");
    expect(await publish(await release(nobody, "1.0.0"))).toEqual(refused(422, "E_REGISTRY_NO_SCOPE"));
    expect(await publish(await release(acme, "4.0.0", { change: { scopeSeq: 7 } }))).toEqual(
      refused(422, "E_RELEASE_SCOPE_SEQ"),
    );
    expect(await publish(await release(acme, "4.0.0", { name: "anthropic" }))).toEqual(refused(422, "E_NAME_RESERVED"));
  });
});

describe("an envelope that was tampered with", () => {
  const envelopeOf = async (author: Author) => (await release(author, "5.0.0")).envelope;
  const put = (envelope: unknown) => putEnvelope("packages/acme/no-rm/5.0.0", envelope);

  test("another type, declared or signed", async () => {
    const { packed, release: statement, envelope } = await release(acme, "5.0.0");
    await registry.putBlob(packed.tar);
    for (const payloadType of [PAYLOAD_TYPES.vet, PAYLOAD_TYPES.scope, "text/plain"]) {
      expect(await put({ ...envelope, payloadType })).toEqual(refused(422, "E_ENVELOPE_TYPE"));
    }
    const vet = await sign(PAYLOAD_TYPES.vet, releaseStatement(statement), [acme.key]);
    expect(await put({ ...vet, payloadType: PAYLOAD_TYPES.release })).toEqual(refused(422, "E_ENVELOPE_SIGNATURE"));
    expect(await put(acme.claim)).toEqual(refused(422, "E_ENVELOPE_TYPE"));
  });

  test("no signature, a wrong one, one twice, payload changed", async () => {
    const envelope = await envelopeOf(acme);
    const [signature] = envelope.signatures;
    const changed = Buffer.from(Buffer.from(envelope.payload, "base64").toString().replace("5.0.0", "5.0.1")).toString(
      "base64",
    );
    expect(await put({ ...envelope, signatures: [] })).toEqual(refused(422, "E_ENVELOPE_UNSIGNED"));
    expect(await put({ ...envelope, signatures: [signature, signature] })).toEqual(
      refused(422, "E_ENVELOPE_SIGNER_TWICE"),
    );
    expect(await put({ ...envelope, payload: changed })).toEqual(refused(422, "E_ENVELOPE_SIGNATURE"));
  });

  test("properly signed, but not canonical, not integer, with a key twice, no statement", async () => {
    const text = new TextDecoder().decode(releaseStatement((await release(acme, "5.0.0")).release));
    const texts = {
      E_CANONICAL: ` ${text}`,
      E_CANONICAL_NUMBER: text.replace('"scopeSeq":0', '"scopeSeq":0.5'),
      E_JSON_DUPLICATE_KEY: text.replace('"scopeSeq":0', '"scopeSeq":0,"scopeSeq":0'),
      E_STATEMENT: text.replace('"scopeSeq":0', '"scopeSeq":0,"t":1'),
      E_JSON: text.slice(1),
    };
    for (const [code, payload] of Object.entries(texts)) {
      expect(await put(await sign(PAYLOAD_TYPES.release, new TextEncoder().encode(payload), [acme.key]))).toEqual(
        refused(422, code),
      );
    }
    expect(await put(await sign(PAYLOAD_TYPES.release, canonicalBytes([]), [acme.key]))).toEqual(
      refused(422, "E_STATEMENT"),
    );
  });
});
