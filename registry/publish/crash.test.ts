import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Checkpoint, openCheckpoint, verifyConsistency, verifyReceipt } from "@hookpkg/log";
import { openRegistry, type Registry } from "@hookpkg/protocol";
import { logLeaf, releaseSubject, statementDigest } from "@hookpkg/signing";
import { STEPS, serveRegistry } from "../index.ts";
import { type Author, newAuthor, type Ready, release } from "../testing/author.ts";
import { emptyFolder } from "../testing/server.ts";

const KEPT = /^(?:lock\.sqlite(?:-journal)?|registry\.sqlite(?:-wal|-shm)?|log-key\.json|checkpoint|blobs)$/;
const MAX_TEST_MS = 120_000;
let author: Author;
let releases: Ready[];
const folders: string[] = [];
const children = new Set<Bun.Subprocess>();

beforeAll(async () => {
  author = await newAuthor("@crash");
  releases = await Promise.all(Array.from({ length: 400 }, (_, n) => release(author, `1.${n}.0`)));
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** What the outside world was told: it must hold for ever. */
type Told = { readonly published: Set<Ready>; last: Checkpoint | null };

test.each(STEPS)(
  "kill -9 at %s: nothing answered is lost, nothing half is shown, the rest goes on",
  async (step) => {
    // The scope is claimed once.
    for (const times of step === "scope:stored" ? [1] : [1, 2, 3]) {
      const dataDir = await folder();
      const told: Told = { published: new Set(), last: null };
      const child = await start(dataDir, step, times);
      await publishUntilDown(child.url, releases.slice(0, 4), told);
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      await expectSound(dataDir, told);
      const again = await start(dataDir);
      await publishUntilDown(again.url, releases.slice(0, 4), told);
      expect(told.published.size).toBe(4);
      await kill(again);
      await expectSound(dataDir, told);
    }
  },
  MAX_TEST_MS,
);

test(
  "kill -9 at random moments of four publishers, twenty times over one history",
  async () => {
    const dataDir = await folder();
    const told: Told = { published: new Set(), last: null };
    let next = 0;
    for (let round = 0; round < 20; round++) {
      const child = await start(dataDir);
      const batch = releases.slice(next, next + 20);
      next += 20;
      const publishing = [0, 1, 2, 3].map((lane) =>
        publishUntilDown(
          child.url,
          batch.filter((_, n) => n % 4 === lane),
          told,
        ),
      );
      // Anywhere between the acknowledgements, not only before the first.
      const enough = told.published.size + (round % 7);
      while (told.published.size < enough) await Bun.sleep(1);
      await Bun.sleep(Math.random() * 20);
      await kill(child);
      await Promise.all(publishing);
      await expectSound(dataDir, told);
    }
    expect(told.published.size).toBeGreaterThan(50);
  },
  MAX_TEST_MS,
);

/** Publishes one after the other and notes what was acknowledged; ends early when the server is gone. */
async function publishUntilDown(url: string, ready: readonly Ready[], told: Told): Promise<void> {
  const registry = openRegistry(url);
  try {
    await registry.putScope(author.scope, 0, author.claim);
    for (const each of ready) {
      await registry.putBlob(each.packed.tar);
      await registry.publish(each.release.name, each.release.version, each.envelope);
      told.published.add(each);
    }
  } catch (error) {
    if (!isFault(error) || !/^E_REGISTRY_(UNREACHABLE|TRUNCATED)$/.test(error.code)) throw error;
  }
}

/** Starts the server again on what the crash left, and looks at all of it as a client would. */
async function expectSound(dataDir: string, told: Told): Promise<void> {
  const { url, stop } = await serveRegistry({ dataDir });
  const registry = openRegistry(url);
  try {
    const left = [...(await readdir(dataDir)), ...(await readdir(join(dataDir, "blobs", "incoming")))];
    expect(left.filter((name) => !KEPT.test(name))).toEqual([]);
    const { key } = await registry.root();
    const now = openCheckpoint(await registry.checkpoint(), key);
    if (told.last !== null) {
      const { proof } = await registry.consistency(told.last.size, now.size);
      verifyConsistency(
        told.last,
        now,
        proof.map((hash) => new Uint8Array(Buffer.from(hash, "base64"))),
      );
    }
    told.last = now;
    const shown = await shownVersions(registry);
    for (const { release: wanted } of told.published) expect(shown).toContain(wanted.version);
    for (const version of shown) await expectWhole(registry, version);
  } finally {
    await stop();
  }
}

async function shownVersions(registry: Registry): Promise<string[]> {
  try {
    return (await registry.metadata("@crash/no-rm")).metadata?.versions.map(({ version }) => version) ?? [];
  } catch (error) {
    if (isFault(error, "E_REGISTRY_NOT_FOUND")) return [];
    throw error;
  }
}

async function expectWhole(registry: Registry, version: string): Promise<void> {
  const ready = releases.find((each) => each.release.version === version);
  if (ready === undefined) throw new Error(`shows ${version}, which nobody published`);
  const { key } = await registry.root();
  const { envelope, receipt } = await registry.version(ready.release.name, version);
  expect(envelope).toEqual(ready.envelope);
  const subject = releaseSubject(ready.release.name, ready.release.version);
  verifyReceipt(receipt, logLeaf("release", subject, statementDigest(envelope)), key);
  expect(await registry.blob(ready.packed.sha256)).toEqual(ready.packed.tar);
}

async function folder(): Promise<string> {
  const made = await emptyFolder();
  folders.push(made);
  return made;
}

async function start(dataDir: string, step = "", times = 1) {
  const main = Bun.fileURLToPath(import.meta.resolve("../testing/crash-server.ts"));
  const child = Bun.spawn([process.execPath, main, dataDir, step, `${times}`], { stdout: "pipe", stderr: "inherit" });
  children.add(child);
  const { value } = await child.stdout.getReader().read();
  return Object.assign(child, { url: new TextDecoder().decode(value).trim() });
}

async function kill(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
  children.delete(child);
}
