export {
  openRegistry,
  parseRegistryUrl,
  type Registry,
  type RegistryOptions,
  type RegistryRoot,
  type TaggedMetadata,
} from "./client.ts";
export { ANSWERED, type AnsweredCode, isAnswered, refuse as refuseRequest } from "./faults.ts";
export type { Fetch } from "./fetch.ts";
export {
  MAX_BLOB_BYTES,
  MAX_BLOB_MS,
  MAX_METADATA_BYTES,
  MAX_METADATA_MS,
  MAX_REQUEST_BYTES,
  MAX_RESOLVED_PACKAGES,
} from "./limits.ts";
export { faultOf, problemOf } from "./problem.ts";
export {
  addressOf,
  BYTES_TYPE,
  JSON_TYPE,
  NOTE_TYPE,
  PARAMS,
  PROBLEM_TYPE,
  ROUTES,
  type Route,
  type RouteName,
} from "./routes.ts";
export {
  type BlobStored,
  type ConsistencyAnswer,
  Envelope,
  type HandlerSummary,
  type Logged,
  type PackageMetadata,
  Problem,
  type Published,
  type ResolveAnswer,
  ResolveRequest,
  type Root,
  type ScopeAnswer,
  type VersionAnswer,
  type VersionSummary,
} from "./schema.ts";
