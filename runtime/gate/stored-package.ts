import { type Files, readFolder, readTree, sourcesOf, treeDigest } from "@hookpkg/archive";
import { closureOf, type HandlerIdentity, identitiesOf, isClosureFile, type PackageKind } from "@hookpkg/identity";
import { HOOKS_FILE, type LayerSpec, type PackageSpec, parseLayer, parsePackage, type Sha256 } from "@hookpkg/spec";

/** A package's hashed files with what they declare. */
export type ReadPackage = {
  tree: Sha256;
  files: Files;
  spec: PackageSpec | LayerSpec;
  identities: readonly HandlerIdentity[];
};

/** Reads, hashes and parses a package of the store. Throws the archive's, the package door's or the identity's fault. */
export async function readStoredPackage(store: string, tree: Sha256): Promise<ReadPackage> {
  return parseFiles(tree, await readTree(store, tree));
}

/** The same for a folder of the project: its files as they would be packed now. */
export async function readLocalPackage(folder: string): Promise<ReadPackage> {
  const files = await readFolder(folder);
  return parseFiles(treeDigest(files), files);
}

/** What counts as code of a package, and its digest: the very files that are handed to the sandbox. */
export function closureFiles(files: Files): ClosureFiles {
  const known = closures.get(files);
  if (known !== undefined) return known;
  const kind = kindOf(files);
  const found = { files: files.filter((file) => isClosureFile(file.path, kind)), closure: closureOf(files, kind) };
  closures.set(files, found);
  return found;
}

type ClosureFiles = { files: Files; closure: Sha256 };
/** Of bytes that are in memory already. */
const closures = new WeakMap<Files, ClosureFiles>();

export function optionSpecs(spec: PackageSpec | LayerSpec) {
  return "manifest" in spec ? spec.manifest.options : spec.options;
}

export function versionOf(spec: PackageSpec | LayerSpec): string | undefined {
  return "manifest" in spec ? spec.manifest.version : undefined;
}

function parseFiles(tree: Sha256, files: Files): ReadPackage {
  const sources = sourcesOf(files);
  const spec = kindOf(files) === "package" ? parsePackage(sources) : parseLayer(sources);
  return { tree, files, spec, identities: identitiesOf(spec, files) };
}

/** A layer keeps its declarations at its root. */
function kindOf(files: Files): PackageKind {
  return files.some((file) => file.path === HOOKS_FILE) ? "package" : "layer";
}
