import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { canonicalText, sha256 } from "@hookpkg/spec";
import fc from "fast-check";
import { Parser } from "tar";
import { fileLines, LIMITS, type PackageFile, pack, sortFiles, treeDigest, validateArchive } from "./index.ts";
import { checkFiles } from "./pack.ts";

const temp = mkdtempSync(join(tmpdir(), "hookpkg-pack-"));
afterAll(() => rmSync(temp, { recursive: true }));

/** One path for each form of header: name alone, name and prefix, extended header; and UTF-8 of every length. */
const golden: PackageFile[] = [
  file("hookpkg.json", '{"name":"@acme/no-rm"}\n'),
  file("guard.ts", "export default () => {};\n"),
  file("bin/run.sh", "#!/bin/sh\nexit 0\n", true),
  file("empty", ""),
  file("block", "b".repeat(512)),
  file(`${"p".repeat(60)}/${"q".repeat(60)}.txt`, "prefix"),
  file(`${"l".repeat(100)}/${"m".repeat(60)}/${"n".repeat(70)}`, "extended"),
  file("docs/Руководство 使用 😀.md", "paper"),
];

test("a fixed set of files has fixed bytes, on every machine and with every version of Bun", () => {
  const { sha256, sha512, tree } = pack(golden);
  expect({ sha256, sha512, tree }).toEqual({
    sha256: "sha256:d869473730e26a1e7bb4bc551ed469dc6d11cbbb818ba6e548dcdb53eae10e5a",
    sha512: "sha512-fkqHXgqy3LoCzMexISdhYG5vcEa/49IZqplgM3P33nqgdgs24CN/VhNZunesscoh1jS5iCAjOdQBbfilT7u/7A==",
    tree: "sha256:d0baab943d06a5cc32afabc0656544f969ec1f0bfae37b4ddca173c53aca4053",
  });
});

test("GNU tar, Python and node-tar read what was packed", async () => {
  const { tar, files } = pack(golden);
  const path = join(temp, "golden.tar");
  writeFileSync(path, tar);
  const expected: Seen = files.map((one) => [`package/${one.path}`, one.executable ? 0o755 : 0o644, sha256(one.bytes)]);
  expect(await readWithNodeTar(tar)).toEqual(expected);
  expect<unknown>(readWithPython(path)).toEqual(expected);
  const listed = run(["tar", "--quoting-style=literal", "--numeric-owner", "--utc", "-tvf", path]).trim().split("\n");
  expect(listed.map((line) => line.split(/ +/))).toEqual(
    files.map((one) => [
      one.executable ? "-rwxr-xr-x" : "-rw-r--r--",
      "0/0",
      `${one.bytes.byteLength}`,
      "1970-01-01",
      "00:00",
      ...`package/${one.path}`.split(" "),
    ]),
  );
});

test("what was packed is valid and holds the same files, whatever order they came in; node-tar sees the same", async () => {
  const property = fc.asyncProperty(packageFiles(), fc.infiniteStream(fc.nat()), async (files, keys) => {
    const shuffled = files
      .map((one) => ({ one, key: keys.next().value }))
      .sort((a, b) => a.key - b.key)
      .map(({ one }) => one);
    const packed = pack(files);
    const valid = validateArchive(packed.tar);
    expect(plain(valid.files)).toEqual(plain(sortFiles(files)));
    expect(pack(shuffled).sha256).toBe(packed.sha256);
    expect([valid.sha256, valid.sha512, valid.tree]).toEqual([packed.sha256, packed.sha512, treeDigest(shuffled)]);
    const seen = await readWithNodeTar(packed.tar);
    expect(seen.map(([path]) => path)).toEqual(valid.files.map((one) => `package/${one.path}`));
  });
  await fc.assert(property, { numRuns: 200 });
});

test("a tree digest covers path, executable bit and content of every file, and no order", () => {
  const files = [file("b", "2"), file("a", "1", true), file("ｚ", "3"), file("😀", "4")];
  expect(fileLines(files).map(([path, kind, size]) => [path, kind, size])).toEqual([
    ["a", "x", 1],
    ["b", "f", 1],
    ["ｚ", "f", 1],
    ["😀", "f", 1],
  ]);
  expect(treeDigest(files)).toBe(sha256(canonicalText(fileLines(files))));
  expect(treeDigest([...files].reverse())).toBe(treeDigest(files));
  const others = [
    [file("b", "2"), file("a", "1")],
    [file("b", "3"), file("a", "1", true)],
    [file("c", "2"), file("a", "1", true)],
    [file("a", "1", true)],
    [file("b", "2"), file("a", "1", true)],
  ];
  expect(new Set(others.map((each) => treeDigest(each))).size).toBe(others.length);
});

test("limits hold at the last allowed value", () => {
  const longest = `${"a".repeat(LIMITS.MAX_SEGMENT_BYTES)}/${"b".repeat(LIMITS.MAX_SEGMENT_BYTES)}/${"c".repeat(38)}`;
  expect(Buffer.byteLength(longest)).toBe(LIMITS.MAX_PATH_BYTES);
  const deepest = `${"d/".repeat(LIMITS.MAX_DEPTH - 1)}f`;
  expect(validateArchive(pack([file(longest, "x"), file(deepest, "y")]).tar).files).toHaveLength(2);
  const most = Array.from({ length: LIMITS.MAX_ENTRIES }, (_, n) => file(`f${n}`, ""));
  expect(validateArchive(pack(most).tar).files).toHaveLength(LIMITS.MAX_ENTRIES);
  const largest = { path: "f", executable: false, bytes: new Uint8Array(LIMITS.MAX_TAR_BYTES - 3 * 512) };
  expect(validateArchive(pack([largest]).tar).tar.byteLength).toBe(LIMITS.MAX_TAR_BYTES);
});

test.each([
  ["E_ARCHIVE_EMPTY", []],
  ["E_ARCHIVE_TOO_MANY", Array.from({ length: LIMITS.MAX_ENTRIES + 1 }, (_, n) => file(`f${n}`, ""))],
  ["E_ARCHIVE_TOO_LARGE", [{ path: "f", executable: false, bytes: new Uint8Array(LIMITS.MAX_TAR_BYTES) }]],
  ["E_ARCHIVE_DUPLICATE", [file("a", "1"), file("a", "2")]],
  ["E_ARCHIVE_PATH_PARENT", [file("../a", "1")]],
  ["E_ARCHIVE_PATH_UTF8", [file("a\ud800", "1")]],
])("pack refuses what the validator would: %s", (code, files) => {
  expect(codeOf(() => pack(files))).toBe(code);
});

function file(path: string, text: string, executable = false): PackageFile {
  return { path, executable, bytes: new TextEncoder().encode(text) };
}

function plain(files: readonly PackageFile[]) {
  return files.map(({ path, executable, bytes }) => [path, executable, Buffer.from(bytes).toString("hex")]);
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "no fault";
}

type Seen = [path: string, mode: number, digest: string][];

async function readWithNodeTar(tar: Uint8Array): Promise<Seen> {
  const seen: Seen = [];
  const parser = new Parser({ strict: true });
  const done = new Promise<void>((resolve, reject) => {
    parser.on("end", () => resolve());
    parser.on("error", reject);
  });
  parser.on("entry", (entry) => {
    const hasher = new Bun.CryptoHasher("sha256");
    entry.on("data", (chunk: Uint8Array) => hasher.update(chunk));
    entry.on("end", () => seen.push([entry.path, entry.mode ?? 0, `sha256:${hasher.digest("hex")}`]));
  });
  parser.end(Buffer.from(tar));
  await done;
  return seen;
}

function readWithPython(path: string): unknown {
  const script = `import tarfile, json, hashlib, sys
t = tarfile.open(sys.argv[1])
print(json.dumps([[m.name, m.mode, "sha256:" + hashlib.sha256(t.extractfile(m).read()).hexdigest()] for m in t]))`;
  return JSON.parse(run(["python3", "-c", script, path]));
}

function run(argv: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(argv, { env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" } });
  if (exitCode !== 0) throw new Error(`${argv[0]} failed: ${stderr}`);
  return stdout.toString();
}

/** Sets of files that a package may hold, with paths around every limit of the tar header. */
function packageFiles(): fc.Arbitrary<readonly PackageFile[]> {
  const name = fc
    .array(fc.constantFrom(...["a", "b", "c", "X", "Y", "0", "_", "-", ".", " ", "~", "@", "é", "ж", "字", "😀"]), {
      minLength: 1,
      maxLength: 12,
    })
    .map((signs) => signs.join(""));
  const longName = fc.tuple(name, fc.integer({ min: 40, max: 99 })).map(([stem, length]) => stem.padEnd(length, "n"));
  const segment = fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: longName });
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));
  const one = fc.record({ path, executable: fc.boolean(), bytes: fc.uint8Array({ maxLength: 1100 }) });
  return fc
    .array(one, { minLength: 1, maxLength: 12 })
    .map(withoutUnfit)
    .filter((files) => files.length > 0);
}

/** Keeps each file that may stand beside those before it. */
function withoutUnfit(files: readonly PackageFile[]): readonly PackageFile[] {
  const kept: PackageFile[] = [];
  for (const one of files) if (codeOf(() => checkFiles([...kept, one])) === "no fault") kept.push(one);
  return kept;
}
