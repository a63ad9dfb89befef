import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import {
  consistencyProof,
  emptyRoot,
  grow,
  type Hash,
  type HashReader,
  inclusionProof,
  leafHash,
  type Node,
  rootHash,
  verifyConsistency,
  verifyInclusion,
} from "./index.ts";

// The tree of the Certificate Transparency project's reference tests (RFC 6962).
const ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const A = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const B = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const C = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const D = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const E = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const F = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const INCLUSION = [
  { index: 0, size: 1, proof: [] },
  { index: 0, size: 8, proof: [A, B, C] },
  { index: 5, size: 8, proof: [D, E, ROOTS[4]] },
  { index: 2, size: 3, proof: [ROOTS[2]] },
  { index: 1, size: 5, proof: [ROOTS[1], B, D] },
];
const CONSISTENCY = [
  { older: 1, newer: 1, proof: [] },
  { older: 1, newer: 8, proof: [A, B, C] },
  { older: 6, newer: 8, proof: [F, E, ROOTS[4]] },
  { older: 2, newer: 5, proof: [B, D] },
];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

class MemoryTree implements HashReader {
  size = 0;
  readonly #hashes = new Map<string, Hash>();

  static async of(entries: readonly Uint8Array[], batches: readonly number[] = []): Promise<MemoryTree> {
    const tree = new MemoryTree();
    let at = 0;
    for (const batch of [...batches, entries.length]) {
      await tree.append(entries.slice(at, at + batch));
      at += batch;
    }
    return tree;
  }

  async append(entries: readonly Uint8Array[]): Promise<void> {
    const { size, nodes } = await grow(this, this.size, entries);
    for (const { level, index, hash } of nodes) this.#hashes.set(`${level}/${index}`, hash);
    this.size = size;
  }

  read(nodes: readonly Node[]): Hash[] {
    return nodes.map(({ level, index }) => {
      const hash = this.#hashes.get(`${level}/${index}`);
      if (hash === undefined) throw new Error(`no node ${level}/${index}`);
      return hash;
    });
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => new TextEncoder().encode(`entry ${n}`));

describe("RFC 6962 vectors", () => {
  test("roots of every size", async () => {
    const tree = await MemoryTree.of(ENTRIES.map(bytes));
    const roots = await Promise.all(ROOTS.map((_, size) => rootHash(tree, size)));
    expect(roots.map(hex)).toEqual(ROOTS);
    expect(hex(emptyRoot())).toBe(ROOTS[0] ?? "");
  });

  test.each(INCLUSION)("inclusion of $index in $size", async ({ index, size, proof }) => {
    const tree = await MemoryTree.of(ENTRIES.map(bytes));
    const found = await inclusionProof(tree, index, size);
    expect(found.map(hex)).toEqual(proof.map(String));
    verifyInclusion({ size, root: await rootHash(tree, size) }, index, leafHash(bytes(ENTRIES[index] ?? "")), found);
  });

  test.each(CONSISTENCY)("consistency of $older and $newer", async ({ older, newer, proof }) => {
    const tree = await MemoryTree.of(ENTRIES.map(bytes));
    expect((await consistencyProof(tree, older, newer)).map(hex)).toEqual(proof.map(String));
  });
});

describe("properties", () => {
  test("every entry of every tree up to 70 is proved, and in no other place", async () => {
    const entries = numbered(70);
    const tree = await MemoryTree.of(entries);
    for (let size = 1; size <= 70; size++) {
      const head = { size, root: await rootHash(tree, size) };
      for (let index = 0; index < size; index++) {
        const proof = await inclusionProof(tree, index, size);
        const leaf = leafHash(entries[index] ?? new Uint8Array());
        verifyInclusion(head, index, leaf, proof);
        const elsewhere = (index + 1) % size;
        if (elsewhere !== index)
          expect(codeOf(() => verifyInclusion(head, elsewhere, leaf, proof))).toBe("E_LOG_INCLUSION");
      }
    }
  });

  test("every two sizes up to 70 are consistent", async () => {
    const tree = await MemoryTree.of(numbered(70));
    const roots = await Promise.all(Array.from({ length: 71 }, (_, size) => rootHash(tree, size)));
    for (let older = 0; older <= 70; older++) {
      for (let newer = older; newer <= 70; newer++) {
        const head = (size: number) => ({ size, root: roots[size] ?? emptyRoot() });
        verifyConsistency(head(older), head(newer), await consistencyProof(tree, older, newer));
      }
    }
  });

  test("batches don't matter; a changed proof, leaf or root never verifies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 600 }),
        fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        async (count, batches, pick, where, bit) => {
          const entries = numbered(count);
          const tree = await MemoryTree.of(entries, batches);
          const root = await rootHash(tree, count);
          expect(hex(root)).toBe(hex(await rootHash(await MemoryTree.of(entries), count)));
          const index = pick % count;
          const proof = await inclusionProof(tree, index, count);
          const parts = [leafHash(entries[index] ?? new Uint8Array()), root, ...proof];
          const broken = parts.map((part, at) => (at === where % parts.length ? flip(part, bit) : part));
          const [leaf = root, brokenRoot = root, ...brokenProof] = broken;
          expect(codeOf(() => verifyInclusion({ size: count, root: brokenRoot }, index, leaf, brokenProof))).toBe(
            "E_LOG_INCLUSION",
          );
          for (const wrong of [proof.slice(1), [...proof, root]]) {
            if (wrong.length === proof.length) continue;
            const leafNow = leafHash(entries[index] ?? new Uint8Array());
            expect(codeOf(() => verifyInclusion({ size: count, root }, index, leafNow, wrong))).toBe("E_LOG_INCLUSION");
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a log that rewrote an entry can't prove that it continues the old one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(),
        async (a, b, pick) => {
          const honest = await MemoryTree.of(numbered(a));
          const rewritten = numbered(a + b);
          rewritten[pick % a] = new TextEncoder().encode("another");
          const forged = await MemoryTree.of(rewritten);
          const older = { size: a, root: await rootHash(honest, a) };
          const newer = { size: a + b, root: await rootHash(forged, a + b) };
          const proof = await consistencyProof(forged, a, a + b);
          expect(codeOf(() => verifyConsistency(older, newer, proof))).toBe("E_LOG_INCONSISTENT");
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("refusals", () => {
  const root = leafHash(new Uint8Array());
  const other = leafHash(Uint8Array.of(1));

  test("shrunk, forked, unproved", () => {
    expect(codeOf(() => verifyConsistency({ size: 3, root }, { size: 2, root }, []))).toBe("E_LOG_SHRUNK");
    expect(codeOf(() => verifyConsistency({ size: 3, root }, { size: 3, root: other }, []))).toBe("E_LOG_FORKED");
    expect(codeOf(() => verifyConsistency({ size: 3, root }, { size: 4, root: other }, []))).toBe("E_LOG_INCONSISTENT");
    expect(codeOf(() => verifyConsistency({ size: 0, root }, { size: 4, root }, [root]))).toBe("E_LOG_INCONSISTENT");
  });

  test("a 64-hash proof and a short hash", () => {
    const long = Array.from({ length: 64 }, () => root);
    expect(codeOf(() => verifyConsistency({ size: 1, root }, { size: 9, root: other }, long))).toBe("E_LOG_PROOF");
    expect(codeOf(() => verifyInclusion({ size: 9, root }, 1, root, long))).toBe("E_LOG_PROOF");
    expect(codeOf(() => verifyInclusion({ size: 2, root }, 1, root, [root.slice(1)]))).toBe("E_LOG_PROOF");
  });

  test("positions that are no positions", async () => {
    for (const size of [-1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => verifyInclusion({ size, root }, 0, root, []))).toBe("E_LOG_RANGE");
    }
    expect(codeOf(() => verifyInclusion({ size: 1, root }, 1, root, []))).toBe("E_LOG_INCLUSION");
    const tree = await MemoryTree.of(numbered(3));
    expect(await inclusionProof(tree, 3, 3).catch((error) => error.code)).toBe("E_LOG_RANGE");
    expect(await consistencyProof(tree, 4, 3).catch((error) => error.code)).toBe("E_LOG_RANGE");
  });
});

function flip(hash: Uint8Array, bit: number): Uint8Array {
  const copy = hash.slice();
  const at = bit % (copy.length * 8);
  copy[at >> 3] = (copy[at >> 3] ?? 0) ^ (1 << (at & 7));
  return copy;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "nothing thrown";
}
