import type { PackageFile } from "@hookpkg/archive";
import { isVersion } from "@hookpkg/spec";
import { isThere } from "./declaring.ts";
import { FIRST_VERSION } from "./package.ts";
import { type Asked, capabilitiesOf } from "./rights.ts";
import type { Source } from "./source.ts";
import type { Tree } from "./tree.ts";

const MANIFEST_KEYS = new Set("name version description license repository homepage keywords hooks $schema".split(" "));

/** A list of plugins, which may add hooks to each. */
const MARKETPLACE = ".claude-plugin/marketplace.json";
const HEAD_BYTES = 16 * 1024;
/** Of one kind, in a report that people read. */
const MAX_MISSED = 50;

/** What of the source is no hook, and what the scripts want that nobody is given: one line each. */
export function leftOver({ root, manifest, files }: Source, tree: Tree, rights: readonly Asked[]): string[] {
  const parts = Object.keys(manifest?.value ?? {}).filter((key) => !MANIFEST_KEYS.has(key));
  const behind = files === undefined ? [] : tree.leftOut();
  const version = manifest?.value.version;
  const lines = [
    parts.length > 0 && `${manifest?.file}: ${parts.join(", ").slice(0, 300)} left out: no part of a hook package`,
    behind.length > 0 && `left behind: ${behind.slice(0, 20).join(", ")}`,
    isThere(root, MARKETPLACE) &&
      `${MARKETPLACE} lists plugins: name the folder of each; hooks in the list are not read`,
    typeof version === "string" &&
      !isVersion(version) &&
      `its version ${version.slice(0, 60)} is none here: ${FIRST_VERSION}`,
  ];
  const refused = capabilitiesOf(rights).refused.map(
    (one) => `${"name" in one ? one.name : one.kind} is never granted (${one.why})`,
  );
  const others = (files ?? []).filter(hasHooks).map(({ path }) => `${path} has hooks of its own: none is carried over`);
  const missed = tree.missed().map(([from, path]) => `${from} names ${path}, which stays behind`);
  return [
    ...lines.filter((line) => line !== false),
    ...others.slice(0, MAX_MISSED),
    ...missed.slice(0, MAX_MISSED),
    ...new Set(refused),
  ];
}

/** Skills and agents may declare hooks at their head, for as long as they are at work. */
function hasHooks({ path, bytes }: PackageFile): boolean {
  if (!path.endsWith(".md")) return false;
  const [, head = ""] =
    /^---\r?\n([\s\S]*?)\r?\n---/.exec(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))) ?? [];
  return /^hooks\s*:/m.test(head);
}
