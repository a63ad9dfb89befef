import type { Receipt } from "@hookpkg/log";
import { refuseRequest } from "@hookpkg/protocol";
import {
  type Envelope,
  logLeaf,
  MAX_SCOPE_STATEMENTS,
  nextScopeState,
  scopeSubject,
  statementDigest,
} from "@hookpkg/signing";
import { refuseReserved, type Scope } from "@hookpkg/spec";
import type { Parts } from "../parts.ts";
import type { NewScopeStatement } from "../store/store.ts";
import { skeletonOf } from "./skeleton.ts";
import { stateOf } from "./state.ts";

/** One statement of a scope's chain, from the wire. */
export type Claim = { readonly scope: Scope; readonly seq: number; readonly envelope: unknown };

/** Checks a scope statement, stores it, logs it. `created` is false when it was there already. */
export async function claim(parts: Parts, wanted: Claim): Promise<{ created: boolean; receipt: Receipt }> {
  const there = await earlier(parts, wanted);
  if (there !== null) return { created: false, receipt: await parts.sequencer.logged(there) };
  const added = await parts.store.addScopeStatement(await checked(parts, wanted));
  if (added.kind === "other")
    throw refuseRequest("E_REGISTRY_CONFLICT", { scope: wanted.scope, statement: added.statement });
  if (added.kind === "lookalike")
    throw refuseRequest("E_REGISTRY_LOOKALIKE", { scope: wanted.scope, taken: added.scope });
  parts.outside.reached("scope:stored");
  return { created: added.kind === "added", receipt: await parts.sequencer.logged(added.entry) };
}

/** The log entry of this very statement if it is stored; another one in its place refuses. */
async function earlier({ store }: Parts, { scope, seq, envelope }: Claim): Promise<number | null> {
  const there = (await store.scopeChain(scope)).find((statement) => statement.seq === seq);
  if (there === undefined) return null;
  if (there.statement === statementDigest(envelope)) return there.entry;
  throw refuseRequest("E_REGISTRY_CONFLICT", { scope, seq, statement: there.statement });
}

async function checked({ store }: Parts, { scope, seq, envelope }: Claim): Promise<NewScopeStatement> {
  refuseReserved(scope);
  if (seq >= MAX_SCOPE_STATEMENTS)
    throw refuseRequest("E_REGISTRY_REQUEST", { where: "seq", max: MAX_SCOPE_STATEMENTS });
  const state = await nextScopeState(await stateOf(scope, await store.scopeChain(scope)), envelope, scope);
  if (state.seq !== seq) throw refuseRequest("E_REGISTRY_ADDRESS", { field: "seq", expected: seq, found: state.seq });
  const leaf = logLeaf("scope", scopeSubject(scope, seq), state.head);
  // nextScopeState opened it: it has an envelope's shape.
  return {
    scope,
    seq,
    statement: state.head,
    envelope: JSON.stringify(envelope as Envelope),
    skeleton: skeletonOf(scope),
    leaf,
  };
}
