/**
 * What only running would tell stands in a text as one sign of Unicode's private area, so that the known part around it
 * stays readable: `dist/${NAME}` is `dist/` and ANY.
 */
/** Any text: none, blanks, slashes and `..` included. */
export const ANY = "\uE000";
/** Any part of one name; what a `*` matches. */
export const STAR = "\uE001";
/** One sign of a name; what `?` or `[…]` matches. */
export const ONE = "\uE002";
/** Any path below, without `..`; what a search finds. */
export const BELOW = "\uE003";
/** Text that a program which is not followed made out of known text. */
export const SCRAMBLED = "\uE004";

/** The command as written, with the signs above taken out of it. */
export function withoutSigns(text: string): string {
  return text.replace(/[\uE000-\uE004]/g, "\uFFFD");
}

export function isKnown(text: string): boolean {
  return !/[\uE000-\uE004]/.test(text);
}

/** Reads `*`, `?` and `[` of an unquoted expansion as the globs that they are there. */
export function globbed(text: string): string {
  return text.replace(/\*+/g, STAR).replace(/\?|\[[^\]/]{0,64}\]/g, ONE);
}

/** How a text is shown to people. */
export function shown(text: string): string {
  const words: Record<string, string> = { [ANY]: "…", [STAR]: "*", [ONE]: "?", [BELOW]: "**", [SCRAMBLED]: "…" };
  return text.replace(/[\uE000-\uE004]/g, (sign) => words[sign] ?? sign);
}

/** Whether a name can be one that the pattern stands for; signs of unknown match as widely as they may. */
export function matches(pattern: string, name: string): boolean {
  // The usual two-pointer walk: on a miss it goes back to the last star only, so time is pattern × name.
  let at = 0;
  let star = -1;
  let resume = 0;
  let in_ = 0;
  while (at < name.length) {
    const sign = pattern[in_];
    if (sign === STAR || sign === ANY || sign === BELOW || sign === SCRAMBLED) {
      star = in_++;
      resume = at;
    } else if (sign === ONE || sign === name[at]) {
      in_++;
      at++;
    } else if (star >= 0) {
      in_ = star + 1;
      at = ++resume;
    } else return false;
  }
  while (in_ < pattern.length && [STAR, ANY, BELOW, SCRAMBLED].includes(pattern[in_] ?? "")) in_++;
  return in_ === pattern.length;
}

/** Cuts a sign off the end as often as it stands there. (A pattern such as `/+$` takes quadratic time on runs inside.) */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end--;
  return text.slice(0, end);
}
