import { Database } from "bun:sqlite";
import { refuse } from "../faults.ts";

/** Keeps a data folder to one server. The lock is the operating system's: it goes with the process, however that ends. */
export function lockFolder(path: string): () => void {
  const db = new Database(path, { create: true });
  try {
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    db.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    db.close();
    throw refuse("E_SERVE_IN_USE", { path }, cause);
  }
  return () => db.close();
}
