import type { HookSource } from "@hookpkg/hosts";
import { type EventName, eventRow, type May } from "@hookpkg/spec";
import { placeOfSign, type ScriptText } from "./script-text.ts";

const PATCHES = /updatedInput|updatedToolOutput|"answer"\s*:\s*"patch"/;
const CONTEXTS = /additionalContext/;
const ALLOWS =
  /(permissionDecision|behavior|decision)["'\\]{0,3}\s?[:=,]\s?\\?["']?(allow|approve)|permissionDecision\W{1,6}allow/;
/** What shows that a script refuses. */
export const REFUSES =
  /\bexit\s?\(?2\b|exit\(2\)|["']?(deny|block)\\?["']|"?continue\\?"?\s?:\s?false|exitCode\s?=\s?2/i;

/**
 * What a handler may answer beside the event's default, by what its scripts are seen to say. Never less than the default: what a text does
 * not show it may say all the same, and an answer without the right is no answer. `undefined`: the default will do.
 */
export function mayOf(
  event: EventName,
  texts: readonly ScriptText[],
  { says = [] }: Pick<HookSource, "says">,
): { may?: readonly May[]; notes: string[] } {
  const { may: possible, defaultMay } = eventRow(event);
  const notes: string[] = [];
  const more: May[] = [];
  const add = (right: May, sign: RegExp) => {
    const place = placeOfSign(texts, sign);
    if (place === undefined || defaultMay.includes(right) || more.includes(right) || !possible.includes(right)) return;
    more.push(right);
    notes.push(`may ${right}: ${place}`);
  };
  for (const sign of [PATCHES, ...says.flatMap((one) => (one.patches ? [one.sign] : []))]) add("patch", sign);
  add("context", CONTEXTS);
  // An allow beside a rewrite is how rewrites are written, and beside refusals it is how a guard says nothing.
  const isApprover = event === "PermissionRequest" || (more.length === 0 && placeOfSign(texts, REFUSES) === undefined);
  const allows = possible.includes("allow") ? placeOfSign(texts, ALLOWS) : undefined;
  if (isApprover) add("allow", ALLOWS);
  else if (allows !== undefined && !more.includes("patch"))
    notes.push(`its allow reads as continue: add allow to \`may\` if it is to answer for you (${allows})`);
  return more.length === 0 ? { notes } : { may: [...defaultMay, ...more], notes };
}
