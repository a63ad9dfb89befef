import { isFault } from "@hookpkg/fault";
import type { HostName } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import { readRecords } from "./attached-record.ts";

/**
 * Whether a host has entries of this person's own that stand. What a project says of itself does not count: it would be a way to have
 * nobody asked.
 */
export async function hasOwnEntries(home: Home, host: HostName): Promise<boolean> {
  try {
    const record = readRecords(home).find((one) => one.host === host && one.scope === "personal");
    if (record === undefined || record.files.some(({ file }) => file.endsWith(CLAUDES))) return false;
    const { standsThere } = await import("./attachment.ts"); // lazy: few events need it
    return await standsThere(record, false);
  } catch (error) {
    if (isFault(error)) return false; // then the entry that was started answers
    throw error;
  }
}

/** Peri's are Claude Code's: the very ones that ask. */
const CLAUDES = "/.claude/settings.json";
