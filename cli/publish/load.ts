import { type Files, readFolder, sourcesOf } from "@hookpkg/archive";
import { type HandlerIdentity, identitiesOf } from "@hookpkg/identity";
import { type PackageSpec, parsePackage } from "@hookpkg/spec";

declare const loaded: unique symbol;

/** Station 1: a folder whose files can be packed and whose declaration has no error. Only `load` makes one. */
export type Loaded = {
  readonly [loaded]: true;
  dir: string;
  files: Files;
  spec: PackageSpec;
  identities: readonly HandlerIdentity[];
};

/** Reads a package's folder. E_FOLDER_… and E_ARCHIVE_… for files that can't be packed, E_PACKAGE_INVALID for the rest. */
export async function load(dir: string): Promise<Loaded> {
  const files = await readFolder(dir);
  const spec = parsePackage(sourcesOf(files));
  return { dir, files, spec, identities: identitiesOf(spec, files) } as unknown as Loaded; // the brand has no value
}
