import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import type { ResolveAnswer, VersionAnswer } from "@hookpkg/protocol";
import { claimScope, generateKey, signRelease } from "@hookpkg/signing";
import { type Lock, type LockEntry, sha256 } from "@hookpkg/spec";
import { type Installed, install, type Known, parseWish, proposedLock } from "hookpkg";
import { guardFiles, type HostileRegistry, openHostileRegistry } from "./hostile-registry.ts";

/** What a registry, or somebody on the way, can do to an install. Each is refused with its code and nothing reaches the store. */
let hostile: HostileRegistry;
let folder = "";
let store: string;
let truth: { first: ResolveAnswer; second: ResolveAnswer; locked: LockEntry };

beforeAll(async () => {
  hostile = await openHostileRegistry();
  freshStore();
  await hostile.publish({ version: "1.0.0" });
  const client = hostile.registry.client;
  const first = await client.resolve({ packages: { "@acme/guard": "1.0.0" } });
  const { placed } = await installed("@acme/guard@1.0.0");
  await hostile.publish({ version: "1.1.0", code: "export default () => null;" });
  const second = await client.resolve({ packages: { "@acme/guard": "1.1.0" } });
  const locked = placed[0]?.entry;
  if (!locked) throw new Error("nothing was placed");
  truth = { first, second, locked };
});

/** Not there yet: what makes it has placed something. */
beforeEach(freshStore);
function freshStore(): void {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "hookpkg-store-"));
  store = join(folder, "store");
}

afterAll(async () => {
  await hostile.close();
  rmSync(folder, { recursive: true, force: true });
});

function installed(text: string, known: Partial<Known> = {}): Promise<Installed> {
  return install([parseWish(text, "/project", "/project")], {
    registryOf: async () => hostile.registry,
    seeCheckpoint: async () => {},
    known: { scopes: {}, locked: {}, ...known },
    store,
  });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "accepted";
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
}

/** The answer with its first version changed. */
const withVersion =
  (change: (version: VersionAnswer) => VersionAnswer) =>
  (answer: ResolveAnswer): ResolveAnswer => ({
    ...answer,
    packages: answer.packages.map(change),
  });

test("what nobody touched is accepted, and locked with its proof", async () => {
  hostile.lie();
  const { placed, scopes } = await installed("@acme/guard@1.0.0");
  expect(placed.map(({ key, entry }) => [key, entry.version, entry.registry])).toEqual([
    ["@acme/guard", "1.0.0", hostile.registry.client.url],
  ]);
  expect(placed[0]?.entry.log).toMatchObject({ index: 1, sig: expect.stringContaining("— ") });
  expect(scopes).toMatchObject([{ scope: "@acme", seq: 0 }]);
  expect(readdirSync(store)).toEqual([placed[0]?.entry.tree.slice("sha256:".length) ?? ""]);
});

const lies: [string, string, () => Parameters<HostileRegistry["lie"]>[0]][] = [
  ["an older version for a newer range", "E_VERIFY_VERSION", () => ({ answer: () => truth.first })],
  [
    "another version's papers",
    "E_VERIFY_VERSION",
    () => ({ answer: withVersion((version) => ({ ...version, version: "1.0.0" })) }),
  ],
  ["no answer", "E_VERIFY_ANSWER", () => ({ answer: (answer) => ({ ...answer, packages: [] }) })],
  ["no scope", "E_VERIFY_SCOPE_MISSING", () => ({ answer: (answer) => ({ ...answer, scopes: [] }) })],
  [
    "a receipt of another entry",
    "E_LOG_INCLUSION",
    () => ({ answer: withVersion((version) => ({ ...version, receipt: { ...version.receipt, index: 1 } })) }),
  ],
  [
    "no signature",
    "E_ENVELOPE_UNSIGNED",
    () => ({ answer: withVersion((version) => ({ ...version, envelope: { ...version.envelope, signatures: [] } })) }),
  ],
  [
    "a changed statement",
    "E_ENVELOPE_SIGNATURE",
    () => ({
      answer: withVersion((version) => ({
        ...version,
        envelope: { ...version.envelope, payload: swapped(version.envelope.payload) },
      })),
    }),
  ],
  [
    "a receipt of another checkpoint",
    "E_VERIFY_ANSWER",
    () => ({
      answer: (answer) => ({ ...answer, checkpoint: truth.second.checkpoint, packages: truth.first.packages }),
    }),
  ],
  ["other bytes", "E_VERIFY_ARCHIVE", () => ({ blob: () => pack(guardFiles("1.1.0", "export default () => 1;")).tar })],
  ["a compressed archive", "E_ARCHIVE_GZIP", () => ({ blob: (tar) => Bun.gzipSync(new Uint8Array(tar)) })],
  ["a truncated archive", "E_ARCHIVE_TRUNCATED", () => ({ blob: (tar) => tar.subarray(0, tar.length - 1024) })],
  ["an archive with more behind its end", "E_ARCHIVE_TRAILING", () => ({ blob: (tar) => new Uint8Array([...tar, 1]) })],
];
test.each(lies)("%s is refused with %s", async (_what, code, lie) => {
  hostile.lie(lie());
  expect(await codeOf(installed("@acme/guard@1.1.0"))).toBe(code);
  expect(existsSync(store)).toBe(false);
});

test("a key that the scope did not let sign, of the right name, is refused", async () => {
  const thief = await generateKey();
  const {
    tar,
    sha256: tarSha256,
    sha512: tarSha512,
    tree: treeSha256,
  } = pack(guardFiles("1.1.0", "export default 0;"));
  const what = { name: "@acme/guard", version: "1.1.0", tarSha256, tarSha512, treeSha256 } as const;
  const envelope = await signRelease(
    { ...what, handlers: [], previous: null, requires: { programs: [], events: [] }, scopeSeq: 0 },
    [thief],
  );
  hostile.lie({ answer: withVersion((version) => ({ ...version, envelope })), blob: () => tar });
  expect(await codeOf(installed("@acme/guard@1.1.0"))).toBe("E_ENVELOPE_SIGNER");
});

test("a scope with another chain than the one that is logged is refused", async () => {
  const thief = await generateKey();
  const claim = await claimScope("@acme", thief, [
    { key: thief.public, packages: ["@acme/*"], roles: ["publish"], expires: "2090-01-01T00:00:00Z" },
  ]);
  hostile.lie({
    answer: (answer) => ({
      ...answer,
      scopes: answer.scopes.map((scope) => ({
        ...scope,
        chain: scope.chain.map((logged) => ({ ...logged, envelope: claim })),
      })),
    }),
  });
  expect(await codeOf(installed("@acme/guard@1.1.0"))).toBe("E_LOG_INCLUSION");
});

const known: [string, string, () => Partial<Known>][] = [
  [
    "a scope that is bound to another registry",
    "E_VERIFY_SCOPE_REGISTRY",
    () => ({ scopes: { "@acme": { registry: "https://other.example", seq: 0, head: sha256("x") } } }),
  ],
  [
    "a chain that is not the one seen before",
    "E_VERIFY_SCOPE_ROLLBACK",
    () => ({ scopes: { "@acme": { registry: hostile.registry.client.url, seq: 0, head: sha256("x") } } }),
  ],
  [
    "a chain that is shorter than before",
    "E_VERIFY_SCOPE_ROLLBACK",
    () => ({ scopes: { "@acme": { registry: hostile.registry.client.url, seq: 4, head: sha256("x") } } }),
  ],
  ...(["integrity", "tree", "registry", "statement", "handlers"] as const).map(
    (field): [string, string, () => Partial<Known>] => [
      `a lock whose ${field} was edited`,
      "E_VERIFY_REGISTRY_CHANGED",
      () => ({ locked: { "@acme/guard": { ...truth.locked, [field]: edited(field) } as LockEntry } }), // only the field's value is wrong
    ],
  ),
];
test.each(known)("%s is refused with %s", async (_what, code, what) => {
  hostile.lie();
  expect(await codeOf(installed("@acme/guard@1.0.0", what()))).toBe(code);
  expect(existsSync(store)).toBe(false);
});

function edited(field: keyof LockEntry): unknown {
  if (field === "integrity") return pack(guardFiles("1.0.0", "other")).sha512;
  if (field === "handlers") return { g: `hk1:${"A".repeat(43)}` };
  return field === "registry" ? "https://other.example" : sha256("other");
}

/** One letter of the description of a payload, which stays canonical. */
function swapped(payload: string): string {
  const text = Buffer.from(payload, "base64").toString();
  return Buffer.from(text.replace('"version":"1.1.0"', '"version":"1.1.9"')).toString("base64");
}

test("a lock keeps its lines for what did not change, and their places", async () => {
  hostile.lie();
  const { placed } = await installed("@acme/guard@1.0.0");
  const lock: Lock = {
    lock: 1,
    packages: { "@acme/guard": truth.locked, "file:./x": { ...truth.locked, registry: "file:./x" } },
  };
  expect(proposedLock(lock, placed).packages["@acme/guard"]).toEqual(truth.locked);
  expect(Object.keys(proposedLock(lock, placed).packages)).toEqual(["@acme/guard", "file:./x"]);
});
