import { isFault } from "@hookpkg/fault";
import { type Home, REAL_OUTSIDE } from "@hookpkg/runtime";
import { type Recorded, readRecords, whileAttaching, writeRecords } from "../host/attached-record.ts";

/** What doctor saw of one attachment: the host's version, and whether a canary was cancelled through its entries. */
export type Seen = { record: Recorded; version: string | undefined; isCancelled?: boolean };

/**
 * Kept beside what was attached, and forgotten with it. What was attached anew in between was not looked at. That nothing can be kept is
 * no failure here: other checks say why.
 */
export async function keepSeen(home: Home, seen: readonly Seen[]): Promise<void> {
  try {
    await whileAttaching(home, async () => {
      const records = readRecords(home);
      const kept = records.map((record) => withSeen(record, seen));
      if (!Bun.deepEquals(records, kept)) writeRecords(home, kept);
    });
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

function withSeen(record: Recorded, seen: readonly Seen[]): Recorded {
  const found = seen.find((one) => Bun.deepEquals(one.record, record));
  if (found === undefined) return record;
  const { version: _, ...rest } = record;
  const at = found.isCancelled ? REAL_OUTSIDE.now().toISOString() : undefined;
  return {
    ...rest,
    ...(found.version === undefined ? {} : { version: found.version }),
    ...(at === undefined ? {} : { canary: at }),
  };
}
