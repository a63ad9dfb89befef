import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "./install.ts";

let folder: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookpkg-install-"));
  cache = join(folder, "cache");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An environment in which npm is this script: what is tested is what becomes of what npm does. */
function npm(script: string) {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

const place = (version: string) =>
  `mkdir -p node_modules/@a/b && echo '{"version":"${version}"}' > node_modules/@a/b/package.json`;

describe("install", () => {
  const pin = { name: "@a/b", version: "1.2.3" };

  test("keeps what npm brought for the next run", async () => {
    const first = await install(pin, { cache, env: npm(place("1.2.3")) });
    expect(first).toEqual({ ...pin, folder: join(cache, "@a+b-1.2.3") });
    expect(await install(pin, { cache, env: npm("exit 1") })).toEqual(first);
  });

  test("throws npm's words and leaves nothing where npm fails", async () => {
    const env = npm(`${place("1.2.3")}; echo "no such host" >&2; exit 1`);
    await expect(install(pin, { cache, env })).rejects.toThrow("no such host");
    expect(readdirSync(cache)).toEqual([]);
  });

  test("takes no other version", async () => {
    await expect(install(pin, { cache, env: npm(place("1.2.4")) })).rejects.toThrow("1.2.4 instead of 1.2.3");
    expect(readdirSync(cache)).toEqual([]);
  });

  test("clears away what a killed run left a day ago, and not what may be in use", async () => {
    for (const name of ["new-old", "new-young"]) mkdirSync(join(cache, name), { recursive: true });
    utimesSync(join(cache, "new-old"), 1, 1);
    await install(pin, { cache, env: npm(place("1.2.3")) });
    expect(readdirSync(cache).sort()).toEqual(["@a+b-1.2.3", "new-young"]);
  });

  test("may run twice at once", async () => {
    const env = npm(`sleep 0.1; ${place("1.2.3")}`);
    const [one, other] = await Promise.all([install(pin, { cache, env }), install(pin, { cache, env })]);
    expect(one).toEqual(other);
    expect(readdirSync(cache)).toEqual(["@a+b-1.2.3"]);
  });
});
