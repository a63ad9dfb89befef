import { canonicalBytes, type OptionSpec, type OptionValue, optionValue, type Sha256, sha256 } from "@hookpkg/spec";
import type { Options } from "./runnable.ts";

export type EffectiveOptions = { values: Record<string, OptionValue>; digest: Sha256; unusable: readonly string[] };

/**
 * Values that a handler gets: the package's defaults, the project's wishes, the person's own, the later over the earlier.
 * `unusable` names what is no option of the package or has another type; the value before it stays.
 */
export function effectiveOptions(
  specs: Readonly<Record<string, OptionSpec>>,
  ...wishes: (Options | undefined)[]
): EffectiveOptions {
  const values = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, spec.default]));
  const unusable: string[] = [];
  for (const [name, wish] of wishes.flatMap((each) => Object.entries(each ?? {}))) {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    const value = spec && optionValue(spec, wish);
    if (value === undefined) unusable.push(name);
    else values[name] = value;
  }
  return { values, digest: optionsDigest(values), unusable };
}

/** What an approval pins beside the identity. */
function optionsDigest(values: Options): Sha256 {
  return sha256(canonicalBytes(values));
}
