import type { NoteKey } from "@hookpkg/log";
import {
  canonicalBytes,
  hexOf,
  type PackageName,
  parseCanonical,
  parseJson,
  type Scope,
  type Sha256,
  sha256,
} from "@hookpkg/spec";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { refuse } from "./faults.ts";
import { type Answer, ask, type Fetch } from "./fetch.ts";
import { MAX_BLOB_BYTES, MAX_BLOB_MS, MAX_METADATA_BYTES, MAX_METADATA_MS } from "./limits.ts";
import { addressOf, BYTES_TYPE, JSON_TYPE, NOTE_TYPE, ROUTES, type RouteName } from "./routes.ts";
import type {
  BlobStored,
  ConsistencyAnswer,
  Envelope,
  PackageMetadata,
  Published,
  ResolveAnswer,
  ResolveRequest,
  ScopeAnswer,
  VersionAnswer,
} from "./schema.ts";

export type RegistryOptions = {
  readonly fetch?: Fetch;
  readonly maxMetadataBytes?: number;
  readonly maxBlobBytes?: number;
  readonly maxMetadataMs?: number;
  readonly maxBlobMs?: number;
};

/** What a registry says it is. `digest` is what a person can be told beforehand; `key` opens its checkpoints. */
export type RegistryRoot = { readonly digest: Sha256; readonly key: NoteKey };

/** Metadata and the tag that asks for it again; `null` metadata = unchanged since that tag. */
export type TaggedMetadata = { readonly metadata: PackageMetadata | null; readonly etag: string | null };

/**
 * A registry's client. Every answer is bounded in bytes and time and has the contract's shape; nothing in it is trusted
 * or verified beyond that, except that a blob has the digest asked for. All refusals are `E_REGISTRY_…`.
 */
export type Registry = {
  readonly url: string;
  root(): Promise<RegistryRoot>;
  scope(scope: Scope): Promise<ScopeAnswer>;
  putScope(scope: Scope, seq: number, envelope: Envelope): Promise<Published>;
  blob(digest: Sha256): Promise<Uint8Array>;
  putBlob(tar: Uint8Array): Promise<BlobStored>;
  metadata(name: PackageName, etag?: string): Promise<TaggedMetadata>;
  version(name: PackageName, version: string): Promise<VersionAnswer>;
  publish(name: PackageName, version: string, envelope: Envelope): Promise<Published>;
  resolve(request: ResolveRequest): Promise<ResolveAnswer>;
  checkpoint(): Promise<string>;
  consistency(from: number, to: number): Promise<ConsistencyAnswer>;
};

export function openRegistry(url: string, options: RegistryOptions = {}): Registry {
  const base = parseRegistryUrl(url);
  const call = caller(base, options);
  return {
    url: base,
    root: async () => {
      const { body } = await call("root", {});
      const root = shaped("root", ROUTES.root.gives, parse(parseCanonical, body, "root"));
      const publicKey = new Uint8Array(Buffer.from(root.logKey, "base64"));
      return { digest: sha256(body), key: { name: root.origin, publicKey } };
    },
    scope: async (scope) => json("scope", ROUTES.scope.gives, await call("scope", { scope: bare(scope) })),
    putScope: async (scope, seq, envelope) =>
      json("putScope", ROUTES.putScope.gives, await call("putScope", { scope: bare(scope), seq }, envelope)),
    blob: async (digest) => {
      const { body } = await call("blob", { sha256: hexOf(digest) });
      if (sha256(body) !== digest) throw refuse("E_REGISTRY_BLOB", { expected: digest, found: sha256(body) });
      return body;
    },
    putBlob: async (tar) =>
      json("putBlob", ROUTES.putBlob.gives, await call("putBlob", { sha256: hexOf(sha256(tar)) }, tar)),
    metadata: async (name, etag) => {
      const answer = await call("package", names(name), undefined, etag === undefined ? {} : { "if-none-match": etag });
      const metadata = answer.status === 304 ? null : json("package", ROUTES.package.gives, answer);
      return { metadata, etag: answer.headers.get("etag") };
    },
    version: async (name, version) =>
      json("version", ROUTES.version.gives, await call("version", { ...names(name), version })),
    publish: async (name, version, envelope) =>
      json("publish", ROUTES.publish.gives, await call("publish", { ...names(name), version }, envelope)),
    resolve: async (request) => json("resolve", ROUTES.resolve.gives, await call("resolve", {}, request)),
    checkpoint: async () => new TextDecoder().decode((await call("checkpoint", {})).body),
    consistency: async (from, to) =>
      json("consistency", ROUTES.consistency.gives, await call("consistency", { from, to })),
  };
}

/** The one spelling of a registry's address: http(s), no user, query or fragment, no slash at the end. */
export function parseRegistryUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === null || !plain || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw refuse("E_REGISTRY_URL", { found: text.replace(/\/\/[^/]*@/, "//").slice(0, 200) });
  }
  return url.href.replace(/\/+$/, "");
}

type Call = (
  route: RouteName,
  params: Readonly<Record<string, string | number>>,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

function caller(base: string, options: RegistryOptions): Call {
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  return (route, params, body, headers = {}) => {
    const { method, gives } = ROUTES[route];
    const large = route === "blob" || route === "putBlob";
    const raw = body instanceof Uint8Array;
    const sent = body === undefined ? {} : { body: raw ? new Uint8Array(body) : canonicalBytes(body) };
    const type = body === undefined ? {} : { "content-type": raw ? BYTES_TYPE : JSON_TYPE };
    return ask(fetch, {
      url: base + addressOf(route, params),
      init: { method, headers: { ...headers, ...type }, ...sent },
      accept: gives === "bytes" ? BYTES_TYPE : gives === "note" ? NOTE_TYPE : JSON_TYPE,
      maxBytes:
        route === "blob" ? (options.maxBlobBytes ?? MAX_BLOB_BYTES) : (options.maxMetadataBytes ?? MAX_METADATA_BYTES),
      maxMs: large ? (options.maxBlobMs ?? MAX_BLOB_MS) : (options.maxMetadataMs ?? MAX_METADATA_MS),
    });
  };
}

function json<T extends TSchema>(route: RouteName, schema: T, { body }: Answer): Static<T> {
  return shaped(route, schema, parse(parseJson, body, route));
}

function parse(parser: (bytes: Uint8Array) => unknown, body: Uint8Array, route: RouteName): unknown {
  try {
    return parser(body);
  } catch (cause) {
    throw refuse("E_REGISTRY_ANSWER", { route }, cause);
  }
}

/** Fields that a newer registry adds to its answers are dropped; what we know of must have its shape. */
function shaped<T extends TSchema>(route: RouteName, schema: T, value: unknown): Static<T> {
  const known: unknown = Value.Clean(schema, value);
  if (Value.Check(schema, known)) return known;
  const first = Value.Errors(schema, known).First();
  throw refuse("E_REGISTRY_ANSWER", { route, path: first?.path ?? "", expected: first?.message ?? "" });
}

const bare = (scope: Scope) => scope.slice(1);

function names(name: PackageName): { scope: string; name: string } {
  const [scope = "", bareName = ""] = name.slice(1).split("/");
  return { scope, name: bareName };
}
