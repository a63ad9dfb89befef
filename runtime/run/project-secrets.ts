import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegular } from "../person/regular-file.ts";
import type { Mask } from "../sandbox/profile.ts";
import { isWithin, real } from "./place.ts";

const SECRET_FILE =
  /^(\.env(\..+)?|\.envrc|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.git-credentials|\.dockercfg|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|jks|keystore|tfstate))$/i;
const EXAMPLE_FILE = /^\.env\.(example|sample|template|dist)$|\.pub$/i;
const SECRET_FOLDER = /^\.(hookpkg|ssh|aws|gnupg|docker|kube|azure)$/;
/** Big, and their secrets are nobody's in particular. */
const SKIPPED_FOLDER = /^(node_modules|\.venv|venv|target|dist|vendor)$/;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 20_000;
/** Each is a mount of its own: bubblewrap takes milliseconds for a hundred, and refuses thousands. */
const MAX_MASKS = 128;
const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * What a readable project keeps to itself: secrets by name and hookpkg's own files. Looked for before every call, down to
 * MAX_DEPTH folders and MAX_ENTRIES names, widest first; deeper secrets and unusual names are seen, and the docs say so. Whatever a project
 * holds, what comes back can be mounted: above MAX_MASKS the folders with the most of them are closed as a whole, which a guard notices.
 */
export function secretsBelow(root: string): Mask[] {
  return mountable(found(root), root);
}

function found(root: string): Mask[] {
  const masks: Mask[] = [];
  let seen = 0;
  let level = [root];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && seen < MAX_ENTRIES; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = list(folder);
      seen += entries.length;
      for (const entry of entries) {
        const path = join(folder, entry.name);
        const mask = maskOf(entry, path, root);
        if (mask !== undefined) masks.push(mask);
        else if (entry.isDirectory() && entry.name === ".git") masks.push(...gitSecrets(path));
        else if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  return masks;
}

function maskOf(entry: Dirent, path: string, root: string): Mask | undefined {
  if (entry.isDirectory()) return SECRET_FOLDER.test(entry.name) ? { path, shows: "empty-folder" } : undefined;
  if (!SECRET_FILE.test(entry.name) || EXAMPLE_FILE.test(entry.name)) return undefined;
  if (!entry.isSymbolicLink()) return { path, shows: "no-file" };
  // A link out of the project leads nowhere inside; one within it is covered where it leads. A folder is no secret by that name.
  const target = real(path);
  if (target === undefined || !isWithin(target, root)) return undefined;
  return lstatSync(target, { throwIfNoEntry: false })?.isDirectory() === false
    ? { path: target, shows: "no-file" }
    : undefined;
}

/** Each place once, nothing below a hidden folder, and no more than can be mounted in time. */
function mountable(masks: readonly Mask[], root: string): Mask[] {
  const byPath = new Map<string, Mask>();
  for (const mask of masks) {
    // A name that is no UTF-8 can't be handed over: an unusual one, which is seen.
    if (mask.path.includes("\ufffd")) continue;
    if (typeof byPath.get(mask.path)?.shows !== "string") byPath.set(mask.path, mask);
  }
  let left = topmost([...byPath.values()]);
  while (left.length > MAX_MASKS) {
    const path = fullest(left, root);
    left = topmost([...left.filter((mask) => mask.path !== path), { path, shows: "no-folder" }]);
  }
  return left;
}

function topmost(masks: readonly Mask[]): Mask[] {
  const hidden = new Set(
    masks.filter(({ shows }) => shows === "empty-folder" || shows === "no-folder").map(({ path }) => path),
  );
  return masks.filter(({ path }) => {
    for (let at = dirname(path); at !== "/"; at = dirname(at)) if (hidden.has(at)) return false;
    return true;
  });
}

/** The folder that most masks lie in; the root only when there is none below it with two. */
function fullest(masks: readonly Mask[], root: string): string {
  const counts = new Map<string, number>();
  for (const { path } of masks) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const below = [...counts].filter(([folder, count]) => folder !== root && count > 1);
  const [most] = below.sort(([, a], [, b]) => b - a);
  return most?.[0] ?? root;
}

/** Tokens that a checkout leaves in .git: credential files, and lines of its config. git needs the other lines. */
function gitSecrets(git: string): Mask[] {
  return list(git).flatMap((entry): Mask[] => {
    const path = join(git, entry.name);
    if (/credential/i.test(entry.name) && entry.isFile()) return [{ path, shows: "no-file" }];
    if (entry.name !== "config" || !entry.isFile()) return [];
    const text = config(path);
    if (text === undefined) return [{ path, shows: "no-file" }]; // nobody can tell what is in it
    const lines = text.split("\n");
    const clean = lines.filter((line) => !/:\/\/[^/\s]*@|extraheader|password|token|helper/i.test(line));
    return clean.length === lines.length ? [] : [{ path, shows: new TextEncoder().encode(clean.join("\n")) }];
  });
}

function config(path: string): string | undefined {
  try {
    return new TextDecoder().decode(readRegular(path, MAX_CONFIG_BYTES));
  } catch {
    return undefined;
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not readable for us, so not for the handler
  }
}
