import { afterAll, describe, expect, test } from "bun:test";
import { verifyReceipt } from "@hookpkg/log";
import { openRegistry } from "@hookpkg/protocol";
import { continueScope, generateKey, logLeaf, scopeSubject, statementDigest, verifyScopeChain } from "@hookpkg/signing";
import { parseScope } from "@hookpkg/spec";
import { newAuthor } from "../testing/author.ts";
import { startRegistry } from "../testing/server.ts";
import { skeletonOf } from "./skeleton.ts";

const started = await startRegistry();
const registry = openRegistry(started.url);
afterAll(started.stop);

async function put(path: string, envelope: unknown) {
  const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(envelope) };
  const response = await fetch(`${started.url}/v1/scopes/${path}`, init);
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? "receipt"];
}

test("a claim and what follows it are served with receipts, and verify as a chain", async () => {
  const author = await newAuthor("@acme");
  expect(await put("acme/0", author.claim)).toEqual([201, "receipt"]);
  const state = await verifyScopeChain([author.claim], author.scope);
  const next = await continueScope(state, { release: [] }, [author.rootKey]);
  expect(await put("acme/1", next)).toEqual([201, "receipt"]);
  const { chain } = await registry.scope(author.scope);
  const { key } = await registry.root();
  chain.forEach(({ envelope, receipt }, seq) => {
    verifyReceipt(receipt, logLeaf("scope", scopeSubject(author.scope, seq), statementDigest(envelope)), key);
  });
  expect(
    await verifyScopeChain(
      chain.map(({ envelope }) => envelope),
      author.scope,
    ),
  ).toMatchObject({ seq: 1, release: [] });
});

describe("a scope is claimed once", () => {
  test("200 for the same statement, 409 for another, also after the chain went on", async () => {
    const [author, thief] = [await newAuthor("@claimed"), await newAuthor("@claimed")];
    expect(await put("claimed/0", author.claim)).toEqual([201, "receipt"]);
    expect(await put("claimed/0", author.claim)).toEqual([200, "receipt"]);
    expect(await put("claimed/0", thief.claim)).toEqual([409, "E_REGISTRY_CONFLICT"]);
    const state = await verifyScopeChain([author.claim], author.scope);
    expect(await put("claimed/1", await continueScope(state, {}, [thief.rootKey]))).toEqual([422, "E_ENVELOPE_SIGNER"]);
    expect(await put("claimed/1", await continueScope(state, {}, [author.rootKey]))).toEqual([201, "receipt"]);
    expect(await put("claimed/0", author.claim)).toEqual([200, "receipt"]);
  });

  test("of ten racing claimants one gets it", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => newAuthor("@wanted")));
    const answers = await Promise.all(all.map(({ claim }) => put("wanted/0", claim)));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
    expect(answers.filter(([status]) => status === 409)).toHaveLength(9);
    const { chain } = await registry.scope(parseScope("@wanted"));
    expect(chain[0]?.envelope).toEqual(all[answers.findIndex(([status]) => status === 201)]?.claim as never);
  });

  test("a name that looks like it is taken too", async () => {
    await put("modern-tools/0", (await newAuthor("@modern-tools")).claim);
    for (const twin of ["moderntools", "rnodern-tools", "modem-tools", "modern-t0ols", "modern-too1s"]) {
      expect(await put(`${twin}/0`, (await newAuthor(`@${twin}`)).claim)).toEqual([409, "E_REGISTRY_LOOKALIKE"]);
    }
    expect(await put("modern-tales/0", (await newAuthor("@modern-tales")).claim)).toEqual([201, "receipt"]);
  });

  test("reserved words are nobody's", async () => {
    for (const word of ["hookpkg", "anthropic", "openai", "constructor"]) {
      expect(await put(`${word}/0`, (await newAuthor(`@${word}`)).claim)).toEqual([422, "E_NAME_RESERVED"]);
    }
  });
});

test("a statement out of its place, of another scope, or by too few", async () => {
  const author = await newAuthor("@placed");
  const other = await newAuthor("@elsewhere");
  expect(await put("placed/1", author.claim)).toEqual([422, "E_REGISTRY_ADDRESS"]);
  expect(await put("placed/0", other.claim)).toEqual([422, "E_SCOPE_FOREIGN"]);
  expect(await put("placed/5000", author.claim)).toEqual([422, "E_REGISTRY_REQUEST"]);
  expect(await put("placed/01", author.claim)).toEqual([422, "E_REGISTRY_REQUEST"]);
  const state = await verifyScopeChain([author.claim], author.scope);
  expect(await put("placed/1", await continueScope(state, {}, [author.rootKey]))).toEqual([422, "E_SCOPE_SEQUENCE"]);
  await put("placed/0", author.claim);
  expect(await put("placed/1", await continueScope({ ...state, seq: 4 }, {}, [author.rootKey]))).toEqual([
    422,
    "E_SCOPE_SEQUENCE",
  ]);
  expect(
    await put("placed/1", await continueScope({ ...state, head: `sha256:${"0".repeat(64)}` }, {}, [author.rootKey])),
  ).toEqual([422, "E_SCOPE_PREVIOUS"]);
  const second = await generateKey();
  const root = { keys: [author.rootKey.public, second.public], threshold: 2 };
  expect(await put("placed/1", await continueScope(state, { root }, [author.rootKey]))).toEqual([
    422,
    "E_SCOPE_THRESHOLD",
  ]);
  expect(await put("placed/1", await continueScope(state, { root }, [author.rootKey, second]))).toEqual([
    201,
    "receipt",
  ]);
});

test("a scope that nobody claimed is not there", async () => {
  await expect(registry.scope(parseScope("@nobody"))).rejects.toMatchObject({ code: "E_REGISTRY_NOT_FOUND" });
});

test("skeletons are the same for what looks the same only", () => {
  expect(skeletonOf(parseScope("@rn-cl-vv-0-1-i-5-2"))).toBe("mdwollsz");
  expect(skeletonOf(parseScope("@acme"))).not.toBe(skeletonOf(parseScope("@acne")));
});
