import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { isPackageName, isRange, type PackageName } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

/** One thing to install: a registry's package in a range, or a folder or archive below the project. */
export type Wish =
  | { from: "registry"; name: PackageName; range: string; asked: boolean }
  | { from: "folder" | "archive"; key: `file:./${string}`; path: string };

/** `@s/n`, `@s/n@^1.2`, `./dir` or `./pkg.tar`, as typed in `cwd`; E_USAGE for anything else. */
export function parseWish(text: string, cwd: string, project: string): Wish {
  if (/^(\.{1,2}|\/|~)(\/|$)/.test(text) || text.startsWith("file:"))
    return text.startsWith("file:")
      ? localWish(text.slice("file:".length), project, project) // as it stands in the lock
      : localWish(text, cwd, project);
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = at < 0 ? "*" : text.slice(at + 1);
  if (!isPackageName(name))
    throw refuse("E_USAGE", {
      found: text.slice(0, 200),
      expected: "@scope/name, @scope/name@range or ./dir",
      ...(text !== "" && existsSync(resolve(cwd, text)) ? { meant: `./${text}` } : {}),
    });
  if (!isRange(range))
    throw refuse("E_USAGE", { found: range.slice(0, 200), expected: "a version range such as ^1.2 or 1.0.0" });
  return { from: "registry", name, range, asked: at >= 0 };
}

/** A local package is named by its place below the project, so that every teammate's lock names the same one. */
function localWish(text: string, cwd: string, project: string): Wish {
  const path = resolve(cwd, text);
  const below = relative(project, path);
  if (below === "" || below.startsWith("..") || isAbsolute(below)) throw refuse("E_LOCAL_OUTSIDE", { path, project });
  return { from: path.endsWith(".tar") ? "archive" : "folder", key: `file:./${below}`, path };
}
