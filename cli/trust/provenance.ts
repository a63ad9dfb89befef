import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Home, readState, writeState } from "@hookpkg/runtime";
import { hexOf, type Sha256, sha256Schema } from "@hookpkg/spec";
import { z } from "zod";

const schema = z.strictObject({
  v: z.literal(1),
  name: z.string().max(200),
  version: z.string().max(300),
  registry: z.string().max(500),
  statement: sha256Schema,
  signers: z.array(z.string().max(100)).max(100),
});

/** Who signed a tree, as an install on this machine verified it. Never taken from a lock: a checkout can write anything there. */
export type Provenance = Omit<z.infer<typeof schema>, "v">;

/** Called by the install that has just verified the signature; the same again writes nothing. */
export function rememberProvenance(home: Home, tree: Sha256, provenance: Provenance): void {
  if (!Bun.deepEquals(provenanceOf(home, tree), provenance))
    writeState(home, fileOf(home, tree), { v: 1, ...provenance });
}

/** Undefined when no install here has verified these bytes, or the record of it cannot be read. */
export function provenanceOf(home: Home, tree: Sha256): Provenance | undefined {
  try {
    const found = readState(schema, fileOf(home, tree));
    if (found === undefined) return undefined;
    const { v: _, ...provenance } = found;
    return provenance;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

function fileOf(home: Home, tree: Sha256): string {
  return join(home.state, "verified", `${hexOf(tree)}.json`);
}
