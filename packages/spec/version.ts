import { compare, maxSatisfying, satisfies, valid, validRange } from "semver";
import { z } from "zod";
import { refuse } from "./faults.ts";

declare const brand: unique symbol;
/** A semantic version in its one spelling, without build metadata. */
export type Version = string & { readonly [brand]?: "Version" };

export const MAX_VERSION_LENGTH = 64;

export function isVersion(text: string): text is Version {
  return text.length <= MAX_VERSION_LENGTH && !text.includes("+") && valid(text) === text;
}

export function parseVersion(text: string): Version {
  if (!isVersion(text)) throw refuse("E_VERSION", { found: text.slice(0, 100), expected: "1.2.3 or 1.2.3-beta.1" });
  return text;
}

export function isRange(text: string): boolean {
  return text.length <= 200 && validRange(text) !== null;
}

export function parseRange(text: string): string {
  if (!isRange(text)) throw refuse("E_RANGE", { found: text.slice(0, 200) });
  return text;
}

/** The highest version in the range; pre-releases only where the range names one. */
export function highestIn(versions: readonly string[], range: string): Version | undefined {
  return maxSatisfying([...versions], range) ?? undefined;
}

export function inRange(version: string, range: string): boolean {
  return satisfies(version, range);
}

/** Semver precedence: negative when `a` is older. */
export function compareVersions(a: string, b: string): number {
  return compare(a, b);
}

export const versionSchema = z.custom<Version>(
  (value) => typeof value === "string" && isVersion(value),
  "not a version",
);
export const rangeSchema = z.custom<string>(
  (value) => typeof value === "string" && isRange(value),
  "not a version range",
);
