import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "@hookpkg/spec";
import { emptyFolder } from "../testing/server.ts";
import { storeContract } from "./contract.ts";
import { lockFolder } from "./lock.ts";
import { openSqliteStore } from "./sqlite.ts";

const folder = await emptyFolder();
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const file = () => join(folder, `${files++}.sqlite`);

storeContract("SQLite in memory", async () => openSqliteStore(":memory:"));
storeContract("SQLite in a file", async () => openSqliteStore(file()));

test("what was stored is there after closing and opening again", async () => {
  const path = file();
  const before = openSqliteStore(path);
  const statement = { scope: "@acme", seq: 0, statement: sha256("s"), envelope: "{}", skeleton: "acme" } as const;
  await before.addScopeStatement({ ...statement, leaf: Uint8Array.of(1) });
  await before.close();
  const after = openSqliteStore(path);
  expect(await after.scopeChain("@acme")).toHaveLength(1);
  await after.close();
});

test("a file of a newer registry is left alone", () => {
  const path = file();
  const db = new Database(path, { create: true });
  db.run("PRAGMA user_version = 99");
  db.close();
  expect(() => openSqliteStore(path)).toThrow(expect.objectContaining({ code: "E_STORE_SCHEMA" }));
});

test("one folder, one server", () => {
  const path = file();
  const unlock = lockFolder(path);
  expect(() => lockFolder(path)).toThrow(expect.objectContaining({ code: "E_SERVE_IN_USE" }));
  unlock();
  lockFolder(path)();
});
