import { readFileSync } from "node:fs";
import { type Files, readFolder } from "@hookpkg/archive";
import type { NoteKey } from "@hookpkg/log";
import type { Logged, Registry, ResolveAnswer, VersionAnswer } from "@hookpkg/protocol";
import { type PackageName, parseCanonical, type Sha256, scopeOf, sha256Schema } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { Wish } from "./wish.ts";

declare const fetched: unique symbol;

/** Station 8: what came from outside. Nothing in it is believed yet. */
export type Fetched = { readonly [fetched]?: true } & (
  | {
      from: "registry";
      name: PackageName;
      range: string;
      registry: { url: string; key: NoteKey };
      answer: VersionAnswer;
      chain: readonly Logged[];
      tar: Uint8Array;
    }
  | { from: "folder"; key: string; files: Files }
  | { from: "archive"; key: string; tar: Uint8Array }
);

/** A registry as it is bound in the person's config: its client and the key of its log. */
export type BoundRegistry = { client: Registry; key: NoteKey };

export type Resolved = { registry: BoundRegistry; answer: ResolveAnswer };

/** Asks one registry for all that is wished of it, in one round trip; then fetches each archive by its digest. */
export async function resolve(registry: BoundRegistry, wishes: readonly Wish[], since: number): Promise<Resolved> {
  const packages = Object.fromEntries(
    wishes.flatMap((wish) => (wish.from === "registry" ? [[wish.name, wish.range]] : [])),
  );
  return { registry, answer: await registry.client.resolve({ packages, since }) };
}

export async function fetchResolved({ registry, answer }: Resolved, wishes: readonly Wish[]): Promise<Fetched[]> {
  const result: Fetched[] = [];
  for (const wish of wishes) {
    if (wish.from !== "registry") continue;
    const version = answer.packages.find((found) => found.name === wish.name);
    if (!version) throw refuse("E_VERIFY_ANSWER", { name: wish.name, found: "no answer for it" });
    const tar = await registry.client.blob(claimedBlob(version));
    const chain = answer.scopes.find(({ scope }) => scope === scopeOf(wish.name))?.chain ?? [];
    const { url } = registry.client;
    result.push({
      from: "registry",
      name: wish.name,
      range: wish.range,
      registry: { url, key: registry.key },
      answer: version,
      chain,
      tar,
    });
  }
  return result;
}

export async function fetchLocal(wish: Exclude<Wish, { from: "registry" }>): Promise<Fetched> {
  return wish.from === "folder"
    ? { from: "folder", key: wish.key, files: await readFolder(wish.path) }
    : { from: "archive", key: wish.key, tar: readArchive(wish.path) };
}

/** Which blob to ask for stands in the statement, read before it is verified: only a digest is taken from it. */
function claimedBlob(version: VersionAnswer): Sha256 {
  const payload = parseCanonical(new Uint8Array(Buffer.from(version.envelope.payload, "base64")));
  const claimed = z.object({ predicate: z.object({ tarSha256: sha256Schema }) }).safeParse(payload);
  if (!claimed.success)
    throw refuse("E_VERIFY_ANSWER", { name: version.name, found: "a statement without an archive" });
  return claimed.data.predicate.tarSha256;
}

function readArchive(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (cause) {
    throw refuse("E_FILE_READ", { path }, cause);
  }
}
