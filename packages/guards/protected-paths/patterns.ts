import { ANY, BELOW, globbed, isKnown, matches, ONE, STAR } from "@guards/shell";

/**
 * One line of `options.paths`. Names may hold `*` and `?`, `**` stands for any folders; letters match in either case, since on
 * some disks `.ENV` is `.env`. `/…` is anchored at the root, `~/…` at home, anything else matches wherever it lies. What matches
 * a folder matches all below it. `!` takes out again; the last line that matches decides.
 */
export type Pattern = { text: string; isTakingOut: boolean; isAnchored: boolean; names: readonly Name[] };

/** `isOpen`: it stands for more than one name. */
type Name = { text: string; isOpen: boolean };

export function patternsOf(lines: readonly string[], home: string): Pattern[] {
  return lines.map((text) => {
    const isTakingOut = text.startsWith("!");
    const line = isTakingOut ? text.slice(1) : text;
    const isAnchored = /^(\/|~\/)/.test(line);
    const full = line.startsWith("~/") ? `${home}/${line.slice(2)}` : line;
    const names = namesOf(full.toLowerCase().replace(/\/\*\*$/, ""));
    return {
      text: line,
      isTakingOut,
      isAnchored,
      names: names.map((name) => nameOf(name === "**" ? name : globbed(name))),
    };
  });
}

/** Copies in here are for reading; what lies here is nobody's configuration. */
const TEMPORARY = /^\/(tmp|var\/tmp|private\/tmp|dev)\//;

/** The pattern that protects a path; undefined when none does. The path is absolute and may hold signs of unknown. */
export function protectorOf(patterns: readonly Pattern[], path: string, project: string): Pattern | undefined {
  const names = namesOf(path.toLowerCase()).map(nameOf);
  const projectDepth = namesOf(project).length;
  const isScratch = TEMPORARY.test(path) && !(project !== "" && path.startsWith(`${project}/`));
  const isWhole = !names.some((name) => name.isOpen);
  const found = patterns.findLast((pattern) => {
    // What may be the example may also be the real one; and only a name that is told in full can be taken out.
    if ((pattern.isTakingOut && !isWhole) || (isScratch && !pattern.isAnchored)) return false;
    return fits(pattern, names, projectDepth);
  });
  return found?.isTakingOut === true ? undefined : found;
}

/** The pattern whose files go with a folder that is deleted or moved: `.github` takes `.github/workflows` along. */
export function protectorBelow(patterns: readonly Pattern[], path: string): Pattern | undefined {
  const names = namesOf(path.toLowerCase());
  return patterns.find(({ isTakingOut, isAnchored, names: wanted }) => {
    if (isTakingOut || wanted.length < 2) return false;
    if (isAnchored) return names.length < wanted.length && names.every((name, index) => name === wanted[index]?.text);
    return wanted.some((_, cut) => cut > 0 && endsWith(names, wanted.slice(0, cut)));
  });
}

function endsWith(names: readonly string[], end: readonly Name[]): boolean {
  return end.every((name, index) => names[names.length - end.length + index] === name.text);
}

function nameOf(text: string): Name {
  return { text, isOpen: !isKnown(text) };
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

/** `projectDepth`: how many names the project's own path has. */
function fits({ isAnchored, names: wanted }: Pattern, names: readonly Name[], projectDepth: number): boolean {
  const last = isAnchored ? 0 : names.length - 1;
  for (let start = 0; start <= last; start++) if (fitsAt(wanted, names, start, projectDepth)) return true;
  return false;
}

function fitsAt(wanted: readonly Name[], names: readonly Name[], start: number, projectDepth: number): boolean {
  let at = start;
  for (const [index, name] of wanted.entries()) {
    if (name.text === "**") {
      const rest = wanted.slice(index + 1);
      for (let skip = at; skip < names.length; skip++) if (fitsAt(rest, names, skip, projectDepth)) return true;
      return false;
    }
    const found = names[at];
    if (
      found === undefined ||
      !nameFits(name, found, { isAtRoot: at <= projectDepth || names[at - 1]?.text === BELOW })
    )
      return false;
    at++;
  }
  return true;
}

/** A name that is a glob itself counts where it says something: `*` alone says nothing, `*.json` only at the project's root. */
function nameFits(wanted: Name, found: Name, { isAtRoot }: { isAtRoot: boolean }): boolean {
  if (!found.isOpen) return wanted.text === found.text || (wanted.isOpen && matches(wanted.text, found.text));
  if (/^[\uE000-\uE004]*$/.test(found.text)) return false;
  if (wanted.isOpen) return matches(wanted.text, found.text.replace(/[\uE000-\uE004]/g, "x"));
  const isWide = [STAR, ANY, ONE].some((sign) => found.text.startsWith(sign));
  return (!isWide || (isAtRoot && !wanted.text.startsWith("."))) && matches(found.text, wanted.text);
}
