import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";

/** A number that a flag takes, from 1 to `max`; E_USAGE for anything else. */
export function countOf({ flags }: Call, flag: string, { absent, max }: { absent: number; max: number }): number {
  const text = flags.text(flag);
  if (text === undefined) return absent;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max)
    throw refuse("E_USAGE", { found: text.slice(0, 50), expected: `--${flag} 1 to ${max}` });
  return count;
}
