import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import { canonicalBytes, sha256, sha512Integrity } from "@hookpkg/spec";
import fc from "fast-check";
import {
  claimScope,
  continueScope,
  type Delegation,
  generateKey,
  logLeaf,
  MAX_ENVELOPE_BYTES,
  openEnvelope,
  openRelease,
  PAYLOAD_TYPES,
  type PrivateKey,
  type ReleaseStatement,
  releaseKeysFor,
  releaseStatement,
  sign,
  signApprovals,
  signRelease,
  statementDigest,
  verifyApprovals,
  verifyScopeChain,
  verifyScopeStates,
} from "./index.ts";

const scope = "@acme";
const [root, successor, release, other] = await Promise.all([
  generateKey(),
  generateKey(),
  generateKey(),
  generateKey(),
]);
const tar = new TextEncoder().encode("tar");
const guard: ReleaseStatement = {
  name: "@acme/guard",
  version: "1.0.0",
  tarSha256: sha256(tar),
  tarSha512: sha512Integrity(tar),
  treeSha256: sha256("tree"),
  handlers: [],
  previous: null,
  requires: { programs: ["git"], events: [], hookpkg: "^1.0.0" },
  scopeSeq: 0,
};

describe("envelope", () => {
  test("gives back what was signed and by whom", async () => {
    const bytes = canonicalBytes({ b: [1], a: "é" });
    const envelope = await sign(PAYLOAD_TYPES.vet, bytes, [root, other]);
    const opened = await openEnvelope(JSON.parse(JSON.stringify(envelope)), PAYLOAD_TYPES.vet, [
      other.public,
      root.public,
    ]);
    expect(opened.payload).toEqual({ a: "é", b: [1] });
    expect(Buffer.from(opened.bytes).equals(bytes)).toBe(true);
    expect(opened.signers).toEqual([root.public, other.public]);
  });

  test("no keys, no envelope", async () => {
    expect(await codeOf(() => sign(PAYLOAD_TYPES.vet, canonicalBytes({}), []))).toBe("E_ENVELOPE_UNSIGNED");
  });

  test("no allowed keys, nothing opens", async () => {
    const envelope = await sign(PAYLOAD_TYPES.vet, canonicalBytes({}), [root]);
    expect(await codeOf(() => openEnvelope(envelope, PAYLOAD_TYPES.vet, []))).toBe("E_ENVELOPE_SIGNER");
  });

  test("any changed bit of payload or signature is refused", async () => {
    const envelope = await sign(PAYLOAD_TYPES.vet, canonicalBytes({ a: "some text" }), [root]);
    const changed = (text: string, bit: number) => {
      const bytes = Buffer.from(text, "base64");
      const at = (bit >> 3) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
      return bytes.toString("base64");
    };
    const open = (part: object) =>
      codeOf(() => openEnvelope({ ...envelope, ...part }, PAYLOAD_TYPES.vet, [root.public]));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 511 }), async (bit) => {
        expect(await open({ payload: changed(envelope.payload, bit) })).toBe("E_ENVELOPE_SIGNATURE");
        const signatures = envelope.signatures.map(({ keyid, sig }) => ({ keyid, sig: changed(sig, bit) }));
        expect(await open({ signatures })).toBe("E_ENVELOPE_SIGNATURE");
      }),
    );
  });

  test("an unreadable value of any kind is refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        expect(await codeOf(() => openEnvelope(value, PAYLOAD_TYPES.vet, [root.public]))).toBe("E_ENVELOPE");
      }),
    );
  });

  test("size is looked at before anything else", async () => {
    const envelope = { payloadType: PAYLOAD_TYPES.vet, payload: "A".repeat(50_000_000), signatures: [] };
    expect(await codeOf(() => openEnvelope(envelope, PAYLOAD_TYPES.vet, [root.public]))).toBe("E_ENVELOPE_TOO_LARGE");
    expect(await codeOf(() => statementDigest(envelope))).toBe("E_ENVELOPE_TOO_LARGE");
  });

  test("the largest one fits what doors read", async () => {
    const keys = Array(16).fill(root);
    const envelope = await sign(PAYLOAD_TYPES.revocation, new Uint8Array(256 * 1024), keys);
    expect(JSON.stringify(envelope).length).toBeLessThanOrEqual(MAX_ENVELOPE_BYTES);
  });
});

describe("scope", () => {
  test("a claim, a delegation, a rotation", async () => {
    const claim = await claimScope(scope, root, []);
    const first = await verifyScopeChain([claim], scope);
    expect(first).toMatchObject({ scope, seq: 0, root: { keys: [root.public], threshold: 1 }, release: [] });
    expect(first.head).toBe(statementDigest(claim));

    const delegated = await continueScope(first, { release: [to(release)] }, [root]);
    const second = await verifyScopeChain([claim, delegated], scope);
    expect(releaseKeysFor(second, "@acme/guard")).toEqual([release.public]);

    const newRoot = { keys: [successor.public, other.public], threshold: 2 };
    const rotated = await continueScope(second, { root: newRoot }, [root, successor, other]);
    const states = await verifyScopeStates([claim, delegated, rotated], scope);
    expect(states.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(states[2]).toEqual({ scope, seq: 2, head: statementDigest(rotated), root: newRoot, release: [to(release)] });

    const third = await verifyScopeChain([claim, delegated, rotated], scope);
    const byOld = await continueScope(third, { release: [] }, [root]);
    expect(await codeOf(() => verifyScopeChain([claim, delegated, rotated, byOld], scope))).toBe("E_ENVELOPE_SIGNER");
    const byNew = await continueScope(third, { release: [] }, [successor, other]);
    expect((await verifyScopeChain([claim, delegated, rotated, byNew], scope)).release).toEqual([]);
  });

  test("which keys may sign what", async () => {
    const state = await verifyScopeChain(
      [
        await claimScope(scope, root, [
          to(release, { packages: ["@acme/no-*", "@acme/one"], expires: "2027-01-01T00:00:00Z" }),
          to(other, { roles: ["vet"] }),
        ]),
      ],
      scope,
    );
    const before = new Date("2026-12-31T23:59:59Z");
    expect(releaseKeysFor(state, "@acme/one")).toEqual([release.public]);
    expect(releaseKeysFor(state, "@acme/no-rm", "publish", before)).toEqual([release.public]);
    expect(releaseKeysFor(state, "@acme/no-rm", "publish", new Date("2027-01-01T00:00:00Z"))).toEqual([]);
    expect(releaseKeysFor(state, "@acme/no-rm", "publish", new Date(Number.NaN))).toEqual([]);
    expect(releaseKeysFor(state, "@acme/nothing")).toEqual([]);
    expect(releaseKeysFor(state, "@acme/one", "vet")).toEqual([other.public]);
  });

  test("a writer is held to what a reader takes", async () => {
    const foreign = [to(release, { packages: ["@other/*"] })];
    expect(await codeOf(() => claimScope(scope, root, foreign))).toBe("E_STATEMENT");
  });
});

describe("release", () => {
  test("is opened by a key of its scope", async () => {
    const state = await verifyScopeChain([await claimScope(scope, root, [to(release)])], scope);
    const envelope = await signRelease(guard, [release]);
    const opened = await openRelease(envelope, state, new Date("2026-11-30T00:00:00Z"));
    expect(opened.release).toEqual(guard);
    expect(opened.statement).toBe(statementDigest(envelope));
    expect(opened.statement).toBe(sha256(releaseStatement(guard)));
    expect(opened.signers).toEqual([release.id]);
  });

  test("is one statement however it is signed", async () => {
    const once = await signRelease(guard, [release]);
    const twice = await signRelease(guard, [release, other]);
    expect(twice).not.toEqual(once);
    expect(statementDigest(twice)).toBe(statementDigest(once));
  });

  test("a leaf of the log is canonical", () => {
    const statement = sha256("x");
    const leaf = Buffer.from(logLeaf("release", "@acme/guard@1.0.0", statement)).toString();
    expect(leaf).toBe(`{"kind":"release","statement":"${statement}","subject":"@acme/guard@1.0.0","v":1}`);
  });
});

describe("approvals", () => {
  const document = { v: 1, projects: { p: { root: "/p", entries: {} } } };
  const approvers = [{ id: root.id, public: root.public }];

  test("hold as long as nothing changes", async () => {
    const signed = await signApprovals(document, root);
    expect(signed.key).toBe(root.id);
    await verifyApprovals(JSON.parse(JSON.stringify(signed)), approvers);
    await verifyApprovals({ ...signed, more: undefined }, approvers);
    for (const changed of [
      { ...signed, projects: {} },
      { ...signed, v: 2 },
      { ...signed, more: 1 },
      { ...signed, sig: "" },
      { ...signed, sig: `${signed.sig.slice(0, -4)}AA==` },
      { ...signed, sig: "A".repeat(10_000) },
    ])
      expect(await codeOf(() => verifyApprovals(changed, approvers))).toBe("E_APPROVALS_SIGNATURE");
  });

  test("are signed again without what they were signed with", async () => {
    const again = await signApprovals(await signApprovals(document, other), root);
    await verifyApprovals(again, approvers);
  });

  test("only by a key of the person's", async () => {
    const signed = await signApprovals(document, other);
    const code = (list: { id: string; public: string }[]) => codeOf(() => verifyApprovals(signed, list));
    expect(await code(approvers)).toBe("E_APPROVALS_KEY");
    expect(await code([])).toBe("E_APPROVALS_KEY");
    expect(await code([{ id: other.id, public: root.public }])).toBe("E_APPROVALS_KEY");
    expect(await code([{ id: other.id, public: "" }])).toBe("E_APPROVALS_KEY");
    expect(await codeOf(() => verifyApprovals({ ...signed, key: root.id }, approvers))).toBe("E_APPROVALS_SIGNATURE");
  });

  test("an envelope's signature over the same bytes is none over approvals", async () => {
    const named = { ...document, key: root.id };
    const envelope = await sign(PAYLOAD_TYPES.vet, canonicalBytes(named), [root]);
    const borrowed = { ...named, sig: envelope.signatures[0]?.sig ?? "" };
    expect(await codeOf(() => verifyApprovals(borrowed, approvers))).toBe("E_APPROVALS_SIGNATURE");
  });
});

function to(key: PrivateKey, more: Partial<Delegation> = {}): Delegation {
  return { key: key.public, packages: ["@acme/*"], roles: ["publish"], expires: "2099-01-01T00:00:00Z", ...more };
}

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "";
}
