import { nearest } from "./problem.ts";

/** The three folders that a handler can be told of, without their CLAUDE_ twins. */
export const PLACEHOLDERS = ["PLUGIN_ROOT", "PLUGIN_DATA", "PROJECT_DIR"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

const NAMES = new Map<string, Placeholder>(
  PLACEHOLDERS.flatMap((name) => [[name, name] as const, [`CLAUDE_${name}`, name] as const]),
);

/** `${CLAUDE_X}` is written `${X}`: two spellings of one thing are one identity. */
export function foldPlaceholders(text: string): string {
  return text.replace(/\$\{(CLAUDE_[A-Z_]+)\}/g, (whole, name: string) =>
    NAMES.has(name) ? `\${${NAMES.get(name)}}` : whole,
  );
}

/** Puts values in: `${NAME}` everywhere, `$NAME` too in a shell string (where other expansions are the shell's). */
export function substitute(
  text: string,
  values: Readonly<Record<Placeholder, string>>,
  form: "data" | "shell",
): string {
  const pattern = form === "data" ? /\$\{([A-Z_]+)\}/g : /\$(?:\{([A-Z_]+)\}|([A-Z_]+)(?![A-Za-z0-9_]))/g;
  return text.replace(pattern, (whole, braced?: string, bare?: string) => {
    const name = NAMES.get(braced ?? bare ?? "");
    return name === undefined ? whole : values[name];
  });
}

/** What looks like a placeholder and is none: each with the spelling that was meant. */
export function placeholderMisses(text: string, form: "data" | "shell"): { found: string; meant?: string }[] {
  const misses: { found: string; meant?: string }[] = [];
  const miss = (found: string, name: string) => misses.push({ found, ...meantBy(name) });
  for (const [found, name = ""] of text.matchAll(/\$\{([^}]{0,100})\}/g))
    if (!NAMES.has(name) && (form === "data" || (meantBy(name).meant && !isSetIn(text, name)))) miss(found, name);
  for (const [found, name = ""] of form === "shell" ? text.matchAll(/\$([A-Z_]{1,40})(?![A-Za-z0-9_])/g) : [])
    if (!NAMES.has(name) && meantBy(name).meant && !isSetIn(text, name)) miss(found, name);
  for (const [found, name = ""] of text.matchAll(/%([A-Za-z_]{1,40})%|\{\{\s*([A-Za-z_]{1,40})\s*\}\}/g))
    miss(found, name || found.replace(/[{}\s]/g, ""));
  for (const [, , name = ""] of text.matchAll(
    /(^|[^A-Z_${])((?:CLAUDE_)?(?:PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR))(?=\/)/g,
  ))
    miss(`${name}/`, name);
  return misses;
}

/** A shell's own variable, whatever it looks like. */
function isSetIn(text: string, name: string): boolean {
  return /^\w+$/.test(name) && new RegExp(`(^|[^\\w$])${name}=|\\b(for|read)\\s[^;|&]*\\b${name}\\b`).test(text);
}

function meantBy(name: string): { meant?: string } {
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/^CLAUDE_?/, "")
      .replace(/_/g, "");
  const near = /^\w+$/.test(name) ? nearest(name, [...NAMES.keys()]) : undefined; // not what a shell makes of a name
  const meant = PLACEHOLDERS.find((known) => plain(known) === plain(name)) ?? NAMES.get(near ?? "");
  return meant === undefined ? {} : { meant: `\${${meant}}` };
}
