import { afterEach, describe, expect, test } from "bun:test";
import { grow, rootHash } from "@hookpkg/log";
import { sha256 } from "@hookpkg/spec";
import type { Added, Head, NewScopeStatement, NewVersion, Store } from "./store.ts";

/** What every store must do; an implementation's test is one call of this. `open` gives an empty store. */
export function storeContract(kind: string, open: () => Promise<Store>): void {
  describe(`store contract: ${kind}`, () => {
    let store: Store;
    const fresh = async () => {
      store = await open();
      await store.initHead(head(0));
      return store;
    };
    afterEach(() => store.close());

    test("is empty at first", async () => {
      store = await open();
      expect(await store.head()).toBeNull();
      expect(await store.version("@acme/a", "1.0.0")).toBeNull();
      expect(await store.versions("@acme/a")).toEqual([]);
      expect(await store.versionsTag("@acme/a")).toBeNull();
      expect(await store.scopeChain("@acme")).toEqual([]);
      expect(await store.pending(10)).toEqual([]);
    });

    test("a head is set once", async () => {
      await fresh();
      await store.initHead(head(7));
      expect(await store.head()).toEqual(head(0));
    });

    test("a version is taken by the first statement, for ever", async () => {
      await fresh();
      const first = await store.addVersion(version("1.0.0", "one"));
      expect(first.kind).toBe("added");
      expect(await store.addVersion(version("1.0.0", "one"))).toMatchObject({ kind: "same", entry: entryOf(first) });
      expect(await store.addVersion(version("1.0.0", "two"))).toEqual({ kind: "other", statement: sha256("one") });
      expect((await store.version("@acme/a", "1.0.0"))?.statement).toBe(sha256("one"));
      expect(await store.pending(10)).toHaveLength(1);
    });

    test("of many writers of one version one adds it", async () => {
      await fresh();
      const added = await Promise.all(Array.from({ length: 20 }, (_, n) => store.addVersion(version("1.0.0", `${n}`))));
      expect(added.filter(({ kind }) => kind === "added")).toHaveLength(1);
      expect(added.filter(({ kind }) => kind === "other")).toHaveLength(19);
    });

    test("what is not logged has no index, what is has its place, in order of arrival", async () => {
      await fresh();
      for (const text of ["1.0.0", "1.1.0"]) await store.addVersion(version(text, text));
      expect((await store.versions("@acme/a")).map(({ index }) => index)).toEqual([null, null]);
      expect(await store.versionsTag("@acme/a")).toBeNull();
      expect([await store.refersTo(sha256("tar")), await store.shows(sha256("tar"))]).toEqual([true, false]);
      await logAll(store);
      expect((await store.versions("@acme/a")).map(({ index }) => index)).toEqual([0, 1]);
      expect(await store.versionsTag("@acme/a")).not.toBeNull();
      expect(await store.shows(sha256("tar"))).toBe(true);
      expect(await store.refersTo(sha256("other"))).toBe(false);
      expect(await store.pending(10)).toEqual([]);
      expect((await store.leaves(1, 5)).map((leaf) => new TextDecoder().decode(leaf))).toEqual(["1.1.0"]);
    });

    test("the tag moves with every version that is logged", async () => {
      await fresh();
      const tags = new Set<string | null>();
      for (const text of ["1.0.0", "1.1.0", "0.9.0"]) {
        await store.addVersion(version(text, text));
        await logAll(store);
        tags.add(await store.versionsTag("@acme/a"));
      }
      expect(tags.size).toBe(3);
    });

    test("of two batches on one head the second changes nothing", async () => {
      await fresh();
      const added = await store.addVersion(version("1.0.0", "one"));
      const entry = entryOf(added);
      const growth = await grow(store, 0, [new TextEncoder().encode("1.0.0")]);
      const batch = { entries: [entry], growth, head: head(1) };
      expect(await store.commit(0, batch)).toBe(true);
      expect(await store.commit(0, { ...batch, head: { ...head(1), note: "other" } })).toBe(false);
      expect(await store.head()).toEqual(head(1));
      expect(await store.indexOf(entry)).toBe(0);
    });

    test("a batch with an entry that doesn't wait is refused whole", async () => {
      await fresh();
      await store.addVersion(version("1.0.0", "one"));
      const growth = await grow(store, 0, [Uint8Array.of(1)]);
      await expect(store.commit(0, { entries: [999], growth, head: head(1) })).rejects.toMatchObject({
        code: "E_STORE_STATE",
      });
      expect(await store.head()).toEqual(head(0));
      expect(await store.pending(10)).toHaveLength(1);
      expect(await store.addVersion(version("1.0.0", "one"))).toMatchObject({ kind: "same" });
    });

    test("scope statements keep their numbers; a scope that looks like another is named", async () => {
      await fresh();
      expect(await store.addScopeStatement(statement("@acme", 0, "zero"))).toMatchObject({ kind: "added" });
      expect(await store.addScopeStatement(statement("@acme", 1, "one"))).toMatchObject({ kind: "added" });
      expect(await store.addScopeStatement(statement("@acme", 1, "one"))).toMatchObject({ kind: "same" });
      expect(await store.addScopeStatement(statement("@acme", 1, "uno"))).toEqual({
        kind: "other",
        statement: sha256("one"),
      });
      expect(await store.addScopeStatement({ ...statement("@acne", 0, "x"), skeleton: "@acme" })).toEqual({
        kind: "lookalike",
        scope: "@acme",
      });
      expect((await store.scopeChain("@acme")).map(({ seq }) => seq)).toEqual([0, 1]);
      expect(await store.scopeChain("@acne")).toEqual([]);
    });

    test("the nodes of a grown tree are all there", async () => {
      await fresh();
      for (let n = 0; n < 11; n++) await store.addVersion(version(`1.0.${n}`, `${n}`));
      await logAll(store, 3);
      const size = (await store.head())?.size ?? 0;
      const leaves = await store.leaves(0, size);
      const again = await grow({ read: () => [] }, 0, leaves);
      const nodes = new Map(again.nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
      const memory = {
        read: (asked: readonly { level: number; index: number }[]) =>
          asked.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? new Uint8Array()),
      };
      expect(size).toBe(11);
      expect(await rootHash(store, size)).toEqual(await rootHash(memory, size));
    });

    test("names and texts are data, whatever is in them", async () => {
      await fresh();
      const odd = "'; DROP TABLE versions; --\u0000 \"%_*";
      await store.addVersion({ ...version("1.0.0", "one"), summary: odd, envelope: odd });
      expect(await store.version("@acme/a", "1.0.0")).toMatchObject({ summary: odd, envelope: odd });
      expect(await store.version("@acme/a", "1.0.0' OR '1'='1")).toBeNull();
    });
  });
}

function head(size: number): Head {
  return { size, root: new Uint8Array(32).fill(size), note: `note ${size}` };
}

function version(text: string, statement: string): NewVersion {
  return {
    name: "@acme/a",
    version: text,
    statement: sha256(statement),
    envelope: "{}",
    summary: "{}",
    tarSha256: sha256("tar"),
    leaf: new TextEncoder().encode(text),
  };
}

function statement(scope: `@${string}`, seq: number, text: string): NewScopeStatement {
  return { scope, seq, statement: sha256(text), envelope: "{}", skeleton: scope, leaf: new TextEncoder().encode(text) };
}

function entryOf(added: Added): number {
  if (!("entry" in added)) throw new Error(`not added: ${added.kind}`);
  return added.entry;
}

async function logAll(store: Store, batch = 100): Promise<void> {
  for (let pending = await store.pending(batch); pending.length > 0; pending = await store.pending(batch)) {
    const size = (await store.head())?.size ?? 0;
    const growth = await grow(
      store,
      size,
      pending.map(({ leaf }) => leaf),
    );
    const entries = pending.map(({ id }) => id);
    expect(await store.commit(size, { entries, growth, head: head(growth.size) })).toBe(true);
  }
}
