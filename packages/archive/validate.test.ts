import { describe, expect, test } from "bun:test";
import { Fault } from "@hookpkg/fault";
import fc from "fast-check";
import { archiveAttacks, buildTar } from "./hostile-tar.ts";
import { type PackageFile, pack, treeDigest, validateArchive } from "./index.ts";

const attacks = archiveAttacks();

describe("attacks", () => {
  test.each(attacks.map((attack) => [attack.id, attack.why, attack] as const))("%s: %s", (_id, _why, attack) => {
    expect(codeOf(() => validateArchive(buildTar(attack.recipe)))).toBe(attack.want);
  });

  test("each case has its own id, and the builder's plain entry is a valid archive", () => {
    expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
    const plain = buildTar([{ entry: { name: "package/hookpkg.json", text: "{}\n" } }, { end: true }]);
    expect(validateArchive(plain).files.map(({ path }) => path)).toEqual(["hookpkg.json"]);
  });
});

test("an archive cut at any byte is refused", () => {
  const { tar } = pack(sample);
  const codes = new Set<string>();
  for (let bytes = 0; bytes < tar.byteLength; bytes += 1) {
    codes.add(codeOf(() => validateArchive(tar.subarray(0, bytes))));
  }
  expect([...codes].sort()).toEqual(["E_ARCHIVE_NOT_TAR", "E_ARCHIVE_TRUNCATED"]);
});

test("one changed byte outside the contents is refused, one inside gives another tree", () => {
  const packed = pack(sample);
  for (let at = 0; at < packed.tar.byteLength; at += 1) {
    const tar = packed.tar.slice();
    tar[at] = (tar[at] ?? 0) ^ 0x01;
    const result = attempt(() => validateArchive(tar));
    if (!(result instanceof Fault)) expect([at, result.tree === packed.tree]).toEqual([at, false]);
  }
});

test("fuzz: any mutation gives a coded fault or an archive that packs to itself", () => {
  const { tar } = pack(sample);
  const edit = fc.record({
    at: fc.nat(tar.byteLength - 1),
    bytes: fc.uint8Array({ maxLength: 40 }),
    drop: fc.nat(600),
    fixSum: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const mutated = edits.reduce<Uint8Array>((bytes, { at, bytes: put, drop, fixSum }) => {
        const next = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + (drop < 300 ? put.length : drop))]);
        return fixSum ? withChecksums(next) : next;
      }, tar);
      const result = attempt(() => validateArchive(mutated));
      if (result instanceof Fault) expect(result.code).toStartWith("E_ARCHIVE_");
      else expect(Buffer.compare(pack(result.files).tar, mutated)).toBe(0);
    }),
    { numRuns: 1500 },
  );
});

test("the files of a valid archive do not change with the bytes it was read from", () => {
  const tar = pack(sample).tar.slice();
  const valid = validateArchive(tar);
  tar.fill(0);
  expect(treeDigest(valid.files)).toBe(valid.tree);
  expect(validateArchive(valid.tar).sha256).toBe(valid.sha256);
});

const sample = [
  file("hookpkg.json", "{}\n"),
  file("hooks/run.sh", "#!/bin/sh\nexit 0\n", true),
  file(`${"d".repeat(99)}/${"e".repeat(99)}/f`, ""),
];

function file(path: string, text: string, executable = false): PackageFile {
  return { path, executable, bytes: new TextEncoder().encode(text) };
}

function attempt<T>(action: () => T): T | Fault {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function codeOf(action: () => unknown): string {
  const result = attempt(action);
  return result instanceof Fault ? result.code : "no fault";
}

/** Puts right the checksum of every block that looks like a header, so that the mutation gets past the first check. */
function withChecksums(bytes: Buffer): Buffer {
  for (let at = 0; at + 512 <= bytes.byteLength; at += 512) {
    if (bytes.toString("latin1", at + 257, at + 262) !== "ustar") continue;
    bytes.fill(" ", at + 148, at + 156);
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148, "latin1");
  }
  return bytes;
}
