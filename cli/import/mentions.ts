import { posix } from "node:path";

/** Of one file; more is nobody's script. */
const MAX_MENTIONS = 2000;
const MAX_WORD_CHARS = 240;

/** Paths that a script's text may mean, relative to its folder: words that look like files, and what it imports. */
export function mentionsIn(text: string, file: string): string[] {
  const words = text
    .split(/[^\w@%+./-]+/)
    .filter((word) => word.length <= MAX_WORD_CHARS && /\w\.\w{1,6}$|\/\.?[\w-]+$/.test(word));
  const imports = file.endsWith(".py") || /^#!.{0,40}python/.test(text) ? pythonImports(text) : scriptImports(text);
  const all = [...imports, ...words].flatMap((word) => [word, ...(word.includes("/") ? [posix.basename(word)] : [])]);
  return [...new Set(all)].slice(0, MAX_MENTIONS);
}

/** `import a.b` is a/b.py or a folder of that name, and what makes a package of `a`. */
function pythonImports(text: string): string[] {
  const lines = text.split("\n").map((line) => line.slice(0, 1000).trim());
  const modules = lines.flatMap((line) => {
    const [, from, names = ""] = /^from \.*([\w.]+) import \(?([\w, ]+)/.exec(line) ?? [];
    if (from !== undefined) return [from, ...names.split(",").map((name) => `${from}.${name.trim()}`)];
    return (/^import ([\w., ]+)/.exec(line)?.[1] ?? "").split(",");
  });
  return modules.flatMap((module) => {
    const path = module.trim().split(" ")[0]?.replaceAll(".", "/") ?? "";
    const above = posix.dirname(path);
    return path === "" ? [] : [`${path}.py`, `${path}/__init__.py`, ...(above === "." ? [] : [`${above}/__init__.py`])];
  });
}

function scriptImports(text: string): string[] {
  const found = text.matchAll(/(?:from|import|require)[ (]{0,3}["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/g);
  return [...found].flatMap(([, path = ""]) =>
    ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js"].map((ending) => `${path}${ending}`),
  );
}
