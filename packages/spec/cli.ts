import type { Facts } from "@hookpkg/fault";
import type { AuthorData } from "./author-data.ts";
import type { HostData } from "./host-data.ts";
import type { LookData } from "./look-data.ts";
import type { TrustData } from "./trust-data.ts";

/** Exit codes of the command. */
export const EXIT = {
  ok: 0,
  failed: 1,
  waits: 3,
  refused: 4,
  splitView: 5,
  noSandbox: 6,
  usage: 64,
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** The one document that `--json` prints. */
export type JsonResult<T> =
  | { ok: true; data: T }
  | { ok: false; error: { code: string; message: string; hint?: string; facts: Facts } };

/** `data` of every command. */
export type CommandData = AuthorData & TrustData & HostData & LookData;
