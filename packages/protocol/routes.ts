import { type TSchema, Type } from "@sinclair/typebox";
import {
  BlobStored,
  ConsistencyAnswer,
  Envelope,
  Health,
  PackageMetadata,
  Published,
  ResolveAnswer,
  ResolveRequest,
  Root,
  ScopeAnswer,
  VersionAnswer,
} from "./schema.ts";

/** One address of the contract. `takes`: the body's schema or `bytes`; `gives`: the 2xx body's schema, `bytes` or `note`. */
export type Route = {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly takes?: TSchema | "bytes";
  readonly gives: TSchema | "bytes" | "note";
};

/** The whole HTTP contract. A scope stands in an address without its `@`; a digest as 64 hex digits. */
export const ROUTES = {
  root: { method: "GET", path: "/v1/root", gives: Root },
  scope: { method: "GET", path: "/v1/scopes/:scope", gives: ScopeAnswer },
  putScope: { method: "PUT", path: "/v1/scopes/:scope/:seq", takes: Envelope, gives: Published },
  blob: { method: "GET", path: "/v1/blobs/:sha256", gives: "bytes" },
  putBlob: { method: "PUT", path: "/v1/blobs/:sha256", takes: "bytes", gives: BlobStored },
  package: { method: "GET", path: "/v1/packages/:scope/:name", gives: PackageMetadata },
  version: { method: "GET", path: "/v1/packages/:scope/:name/:version", gives: VersionAnswer },
  publish: { method: "PUT", path: "/v1/packages/:scope/:name/:version", takes: Envelope, gives: Published },
  resolve: { method: "POST", path: "/v1/resolve", takes: ResolveRequest, gives: ResolveAnswer },
  consistency: { method: "GET", path: "/v1/consistency/:from/:to", gives: ConsistencyAnswer },
  checkpoint: { method: "GET", path: "/checkpoint", gives: "note" },
  tile: { method: "GET", path: "/tile/*", gives: "bytes" },
  health: { method: "GET", path: "/healthz", gives: Health },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** Parameters of an address, before anything is looked up. */
export const PARAMS = {
  scope: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }),
  name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }),
  version: Type.String({ pattern: "^[0-9A-Za-z.-]{1,64}$" }),
  seq: Type.String({ pattern: "^(?:0|[1-9][0-9]{0,8})$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  size: Type.String({ pattern: "^(?:0|[1-9][0-9]{0,12})$" }),
} as const;

/** The address of a route with its parameters filled in. They must already be parsed names, versions and digests. */
export function addressOf(route: RouteName, params: Readonly<Record<string, string | number>> = {}): string {
  return ROUTES[route].path.replaceAll(/:([a-z0-9]+)/g, (_, key: string) => encodeURIComponent(`${params[key]}`));
}

export const PROBLEM_TYPE = "application/problem+json";
export const JSON_TYPE = "application/json";
export const BYTES_TYPE = "application/octet-stream";
export const NOTE_TYPE = "text/plain";
