import type { Database } from "bun:sqlite";
import { refuse } from "../faults.ts";

/** Opens what a file holds as our schema: connection settings first, then the migrations it lacks. */
export function prepare(db: Database): void {
  // FULL: an answered publish must survive a power cut, not only a crash. The timeout is for a backup that reads along.
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA foreign_keys = ON");
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA trusted_schema = OFF");
  const version = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  if (version > MIGRATIONS.length) throw refuse("E_STORE_SCHEMA", { found: version, known: MIGRATIONS.length });
  MIGRATIONS.slice(version).forEach((sql, at) => {
    db.transaction(() => {
      db.run(sql);
      db.run(`PRAGMA user_version = ${version + at + 1}`);
    }).immediate();
  });
}

/** A released migration never changes; a change of the schema is one more. */
const MIGRATIONS = [
  `
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    leaf BLOB NOT NULL,
    log_index INTEGER UNIQUE
  ) STRICT;
  CREATE INDEX outbox ON entries (id) WHERE log_index IS NULL;

  CREATE TABLE versions (
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    statement TEXT NOT NULL,
    envelope TEXT NOT NULL,
    summary TEXT NOT NULL,
    tar_sha256 TEXT NOT NULL,
    entry INTEGER NOT NULL UNIQUE REFERENCES entries (id),
    PRIMARY KEY (name, version)
  ) STRICT;
  CREATE INDEX versions_by_archive ON versions (tar_sha256);

  -- The newest log index of a package's versions: kept apart, so that asking doesn't cost more with every version.
  CREATE TABLE packages (
    name TEXT NOT NULL PRIMARY KEY,
    tag INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE scopes (
    scope TEXT NOT NULL PRIMARY KEY,
    skeleton TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE scope_statements (
    scope TEXT NOT NULL REFERENCES scopes (scope),
    seq INTEGER NOT NULL,
    statement TEXT NOT NULL,
    envelope TEXT NOT NULL,
    entry INTEGER NOT NULL UNIQUE REFERENCES entries (id),
    PRIMARY KEY (scope, seq)
  ) STRICT;

  CREATE TABLE nodes (
    level INTEGER NOT NULL,
    place INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (level, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    size INTEGER NOT NULL,
    root BLOB NOT NULL,
    note TEXT NOT NULL
  ) STRICT;
  `,
] as const;
