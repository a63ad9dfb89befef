import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type NormalForm, parseLayer, parsePackage } from "@hookpkg/spec";
import { identitiesOf, identityOf } from "./index.ts";

type Vector = {
  name: string;
  kind: "package" | "layer";
  manifest?: unknown;
  hooksJson?: unknown;
  hooksToml?: string;
  files: { path: string; executable: boolean; text: string }[];
  handler: string;
  want: { identity: string; normalForm: NormalForm; sameAs?: string[]; differsFrom?: string[] };
};

const folder = join(import.meta.dir, "../../fixtures/vectors/identity");
const vectors: Vector[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
const wanted = new Map(vectors.map(({ name, want }) => [name, want.identity]));

describe("identity vectors", () => {
  test("there are some", () => {
    expect(vectors.length).toBeGreaterThan(40);
    expect(wanted.size).toBe(vectors.length);
  });

  test.each(vectors)("$name", (vector) => {
    const found = identified(vector);
    expect(found.normalForm).toEqual(vector.want.normalForm);
    expect<string>(found.identity).toBe(vector.want.identity);
    expect<string>(identityOf(vector.want.normalForm)).toBe(vector.want.identity);
    for (const other of vector.want.sameAs ?? []) expect(wanted.get(other)).toBe(vector.want.identity);
    for (const other of vector.want.differsFrom ?? []) {
      expect(wanted.has(other)).toBe(true);
      expect(wanted.get(other)).not.toBe(vector.want.identity);
    }
  });

  test("another language computes the same from the same files", () => {
    const run = Bun.spawnSync(["python3", "-I", "-B", join(folder, "recompute.py")]);
    expect(run.stderr.toString()).toBe("");
    const expected = vectors.map(({ name, want }) => [
      name,
      { closure: want.normalForm.closure, identity: want.identity },
    ]);
    expect(JSON.parse(run.stdout.toString())).toEqual(Object.fromEntries(expected));
  });
});

function identified(vector: Vector) {
  const files = vector.files.map(({ path, executable, text }) => ({ path, executable, bytes: Buffer.from(text) }));
  const hooksFile = vector.kind === "package" ? "hooks/hooks.json" : "hooks.json";
  for (const [path, text] of [
    ["hookpkg.json", vector.manifest && JSON.stringify(vector.manifest)],
    [hooksFile, vector.hooksJson && JSON.stringify(vector.hooksJson)],
    ["hooks.toml", vector.hooksToml],
  ] as const)
    if (typeof text === "string") files.push({ path, executable: false, bytes: Buffer.from(text) });
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const declared = vector.kind === "package" ? parsePackage(byPath) : parseLayer(byPath);
  const found = identitiesOf(declared, files).find(({ id }) => id === vector.handler);
  if (!found) throw new Error(`no handler ${vector.handler}`);
  return found;
}
