import { redact } from "@hookpkg/spec";
import type { ChainEntry } from "../chain/chain.ts";
import { redacted } from "../run/redacted.ts";

/** What a chain's handlers said, without secrets: before any of it is worded, cut or written down. */
export function withoutSecrets(entries: readonly ChainEntry[], secrets: readonly string[]): ChainEntry[] {
  return entries.map(({ outcome, effect, ...rest }) => ({
    ...rest,
    effect: "reason" in effect ? { ...effect, reason: redact(effect.reason, secrets) } : effect,
    ...(outcome === undefined ? {} : { outcome: redacted(outcome, secrets) }),
  }));
}
