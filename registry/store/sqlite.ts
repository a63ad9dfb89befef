import { Database } from "bun:sqlite";
import type { Node } from "@hookpkg/log";
import type { PackageName, Scope, Sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { prepare } from "./sqlite-schema.ts";
import type {
  Added,
  Batch,
  Head,
  NewScopeStatement,
  NewVersion,
  Pending,
  Store,
  StoredScopeStatement,
  StoredVersion,
} from "./store.ts";

/** A store in one SQLite file, or in memory for `:memory:`. */
export function openSqliteStore(path: string): Store {
  const db = new Database(path, { create: true, strict: true });
  try {
    prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return new SqliteStore(db);
}

// Rows come back as the statements above and the STRICT tables say; that is what the row types stand on.
class SqliteStore implements Store {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addVersion(added: NewVersion): Promise<Added> {
    return this.#write(() => {
      const { name, version, statement, envelope, summary, tarSha256 } = added;
      const there = this.#one<Taken>(
        "SELECT statement, entry FROM versions WHERE name = ? AND version = ?",
        name,
        version,
      );
      if (there !== null) return taken(there, statement);
      const entry = this.#enqueue(added.leaf);
      this.#run(
        "INSERT INTO versions (name, version, statement, envelope, summary, tar_sha256, entry) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ...[name, version, statement, envelope, summary, tarSha256, entry],
      );
      return { kind: "added", entry };
    });
  }

  async addScopeStatement(added: NewScopeStatement): Promise<Added> {
    return this.#write(() => {
      const { scope, seq, statement, envelope, skeleton } = added;
      const there = this.#one<Taken>(
        "SELECT statement, entry FROM scope_statements WHERE scope = ? AND seq = ?",
        ...[scope, seq],
      );
      if (there !== null) return taken(there, statement);
      const twin = this.#one<{ scope: string }>(
        "SELECT scope FROM scopes WHERE skeleton = ? AND scope <> ?",
        skeleton,
        scope,
      );
      if (twin !== null) return { kind: "lookalike", scope: twin.scope };
      this.#run("INSERT INTO scopes (scope, skeleton) VALUES (?, ?) ON CONFLICT (scope) DO NOTHING", scope, skeleton);
      const entry = this.#enqueue(added.leaf);
      this.#run(
        "INSERT INTO scope_statements (scope, seq, statement, envelope, entry) VALUES (?, ?, ?, ?, ?)",
        ...[scope, seq, statement, envelope, entry],
      );
      return { kind: "added", entry };
    });
  }

  async version(name: PackageName, version: string): Promise<StoredVersion | null> {
    return this.#one<StoredVersion>(`${SELECT_VERSIONS} WHERE name = ? AND version = ?`, name, version);
  }

  async versions(name: PackageName): Promise<readonly StoredVersion[]> {
    return this.#all<StoredVersion>(`${SELECT_VERSIONS} WHERE name = ? ORDER BY entry`, name);
  }

  async versionsTag(name: PackageName): Promise<string | null> {
    const row = this.#one<{ tag: number }>("SELECT tag FROM packages WHERE name = ?", name);
    return row === null ? null : String(row.tag);
  }

  async scopeChain(scope: Scope): Promise<readonly StoredScopeStatement[]> {
    return this.#all<StoredScopeStatement>(
      `SELECT s.seq, s.statement, s.envelope, s.entry, e.log_index AS "index"
       FROM scope_statements s JOIN entries e ON e.id = s.entry WHERE s.scope = ? ORDER BY s.seq`,
      scope,
    );
  }

  async refersTo(tarSha256: Sha256): Promise<boolean> {
    return this.#one("SELECT 1 FROM versions WHERE tar_sha256 = ? LIMIT 1", tarSha256) !== null;
  }

  async shows(tarSha256: Sha256): Promise<boolean> {
    return (
      this.#one(
        `SELECT 1 FROM versions v JOIN entries e ON e.id = v.entry
         WHERE v.tar_sha256 = ? AND e.log_index IS NOT NULL LIMIT 1`,
        tarSha256,
      ) !== null
    );
  }

  async head(): Promise<Head | null> {
    return this.#one<Head>("SELECT size, root, note FROM head WHERE one = 1");
  }

  async initHead({ size, root, note }: Head): Promise<void> {
    this.#run("INSERT INTO head (one, size, root, note) VALUES (1, ?, ?, ?) ON CONFLICT DO NOTHING", size, root, note);
  }

  async pending(limit: number): Promise<readonly Pending[]> {
    return this.#all<Pending>("SELECT id, leaf FROM entries WHERE log_index IS NULL ORDER BY id LIMIT ?", limit);
  }

  async commit(size: number, { entries, growth, head }: Batch): Promise<boolean> {
    return this.#write(() => {
      const swapped = this.#run(
        "UPDATE head SET size = ?, root = ?, note = ? WHERE one = 1 AND size = ?",
        ...[head.size, head.root, head.note, size],
      );
      if (swapped === 0) return false;
      for (const { level, index, hash } of growth.nodes) {
        this.#run("INSERT INTO nodes (level, place, hash) VALUES (?, ?, ?)", level, index, hash);
      }
      entries.forEach((entry, at) => {
        this.#show(entry, size + at);
      });
      return true;
    });
  }

  async indexOf(entry: number): Promise<number | null> {
    return (
      this.#one<{ index: number | null }>('SELECT log_index AS "index" FROM entries WHERE id = ?', entry)?.index ?? null
    );
  }

  async leaves(first: number, count: number): Promise<readonly Uint8Array[]> {
    const sql = "SELECT leaf FROM entries WHERE log_index >= ? AND log_index < ? ORDER BY log_index";
    return this.#all<{ leaf: Uint8Array }>(sql, first, first + count).map(({ leaf }) => leaf);
  }

  read(nodes: readonly Node[]): readonly Uint8Array[] {
    return nodes.map(({ level, index }) => {
      const row = this.#one<{ hash: Uint8Array }>("SELECT hash FROM nodes WHERE level = ? AND place = ?", level, index);
      if (row === null) throw refuse("E_STORE_STATE", { level, index });
      return row.hash;
    });
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** Gives a waiting entry its place in the log: from here on what hangs on it may be shown. */
  #show(entry: number, index: number): void {
    const shown = this.#run("UPDATE entries SET log_index = ? WHERE id = ? AND log_index IS NULL", index, entry);
    if (shown !== 1) throw refuse("E_STORE_STATE", { entry, shown });
    this.#run(
      `INSERT INTO packages (name, tag) SELECT name, ? FROM versions WHERE entry = ?
       ON CONFLICT (name) DO UPDATE SET tag = excluded.tag`,
      ...[index, entry],
    );
  }

  #enqueue(leaf: Uint8Array): number {
    const row = this.#one<{ id: number }>("INSERT INTO entries (leaf) VALUES (?) RETURNING id", leaf);
    if (row === null) throw refuse("E_STORE_STATE", { table: "entries" });
    return row.id;
  }

  // IMMEDIATE: a deferred transaction that turns into a writing one is refused at once when another process writes.
  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  #one<Row>(sql: string, ...values: Value[]): Row | null {
    return this.#db.query<Row, Value[]>(sql).get(...values);
  }

  #all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#db.query<Row, Value[]>(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): number {
    return this.#db.query<unknown, Value[]>(sql).run(...values).changes;
  }
}

type Value = string | number | Uint8Array;
type Taken = { statement: Sha256; entry: number };

function taken(there: Taken, statement: Sha256): Added {
  if (there.statement === statement) return { kind: "same", entry: there.entry };
  return { kind: "other", statement: there.statement };
}

const SELECT_VERSIONS = `
  SELECT name, version, statement, envelope, summary, entry, e.log_index AS "index"
  FROM versions JOIN entries e ON e.id = entry`;
