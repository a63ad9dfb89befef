import { PARAMS } from "@hookpkg/protocol";
import { type PackageName, parsePackageName, parseScope, parseVersion, type Scope, type Version } from "@hookpkg/spec";
import { Type } from "@sinclair/typebox";

const strict = { additionalProperties: false };

/** Parameters of the addresses, held to their patterns before a route runs. */
export const params = {
  scope: Type.Object({ scope: PARAMS.scope }, strict),
  statement: Type.Object({ scope: PARAMS.scope, seq: PARAMS.seq }, strict),
  blob: Type.Object({ sha256: PARAMS.sha256 }, strict),
  package: Type.Object({ scope: PARAMS.scope, name: PARAMS.name }, strict),
  version: Type.Object({ scope: PARAMS.scope, name: PARAMS.name, version: PARAMS.version }, strict),
  sizes: Type.Object({ from: PARAMS.size, to: PARAMS.size }, strict),
};

export function scopeIn({ scope }: { scope: string }): Scope {
  return parseScope(`@${scope}`);
}

export function nameIn({ scope, name }: { scope: string; name: string }): PackageName {
  return parsePackageName(`@${scope}/${name}`);
}

export function versionIn({ version }: { version: string }): Version {
  return parseVersion(version);
}
