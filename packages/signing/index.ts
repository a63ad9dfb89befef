export { type Approver, signApprovals, verifyApprovals } from "./approvals.ts";
export {
  type Envelope,
  envelopeSchema,
  MAX_ENVELOPE_BYTES,
  type Opened,
  openEnvelope,
  PAYLOAD_TYPES,
  type PayloadType,
  sign,
  statementDigest,
} from "./envelope.ts";
export { KEY_FILE_MODE, keyFileHead, MAX_KEY_FILE_BYTES, openKey, sealKey } from "./key-file.ts";
export { checkPossession, provePossession } from "./possession.ts";
export { generateKey, type PrivateKey, privateKeyOf, signBytes } from "./private-key.ts";
export {
  isPublicKey,
  type KeyId,
  keyIdOf,
  keyIdSchema,
  type PublicKey,
  publicKeyOf,
  publicKeySchema,
  rawPublicKey,
  verifySignature,
} from "./public-key.ts";
export {
  openRelease,
  type ReleaseStatement,
  releaseStatement,
  releaseSubject,
  signRelease,
  type VerifiedRelease,
} from "./release.ts";
export { MAX_SCOPE_STATEMENTS, nextScopeState, verifyScopeChain, verifyScopeStates } from "./scope-chain.ts";
export {
  type Delegation,
  type Role,
  releaseKeysFor,
  type ScopeRoot,
  type ScopeState,
  type ScopeStatement,
} from "./scope-state.ts";
export { claimScope, continueScope, scopeStatement } from "./scope-statement.ts";
export { type LogKind, logLeaf, scopeSubject } from "./statement.ts";
export { vetPublicKey } from "./vet-key.ts";
