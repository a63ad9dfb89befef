import { readFileSync } from "node:fs";
import { type Files, readFolder } from "@hookpkg/archive";
import type { NoteKey } from "@hookpkg/log";
import type { Logged, ResolveAnswer, VersionAnswer } from "@hookpkg/protocol";
import { type PackageName, parseCanonical, type Sha256, scopeOf, sha256Schema } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { BoundRegistry } from "../registry/binding.ts";
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

/** Asks one registry for all that is wished of it, in one round trip. Every proof must be against the one checkpoint. */
export async function resolve({ client }: BoundRegistry, wishes: readonly Wish[]): Promise<ResolveAnswer> {
  const packages = Object.fromEntries(
    wishes.flatMap((wish) => (wish.from === "registry" ? [[wish.name, wish.range]] : [])),
  );
  const answer = await client.resolve({ packages });
  const logged = [...answer.packages, ...answer.scopes.flatMap(({ chain }) => chain)];
  if (logged.some(({ receipt }) => receipt.checkpoint !== answer.checkpoint))
    throw refuse("E_VERIFY_ANSWER", { registry: client.url, found: "a receipt of another checkpoint" });
  return answer;
}

/** Each resolved version with its scope's chain and its archive, fetched by digest. */
export async function fetchResolved(
  { client, key }: BoundRegistry,
  answer: ResolveAnswer,
  wishes: readonly Wish[],
): Promise<Map<Wish, Fetched>> {
  const result = new Map<Wish, Fetched>();
  for (const wish of wishes) {
    if (wish.from !== "registry") continue;
    const { name, range } = wish;
    const version = answer.packages.find((found) => found.name === name);
    if (!version) throw refuse("E_VERIFY_ANSWER", { name, found: "no answer for it" });
    const chain = answer.scopes.find(({ scope }) => scope === scopeOf(name))?.chain ?? [];
    const tar = await client.blob(claimedBlob(version));
    result.set(wish, {
      from: "registry",
      name,
      range,
      registry: { url: client.url, key },
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
