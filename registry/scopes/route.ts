import { Envelope, ROUTES, refuseRequest, type ScopeAnswer } from "@hookpkg/protocol";
import type { Scope } from "@hookpkg/spec";
import { Elysia } from "elysia";
import { ASK_AGAIN, answer } from "../http/answer.ts";
import { params, scopeIn } from "../http/params.ts";
import { readJson } from "../http/request.ts";
import { receiptOf, requireHead } from "../log/sequencer.ts";
import type { Parts } from "../parts.ts";
import type { Head, Store } from "../store/store.ts";
import { claim } from "./claim.ts";

export function scopeRoutes(parts: Parts) {
  return new Elysia({ normalize: false })
    .put(
      ROUTES.putScope.path,
      async ({ request, params: found }) => {
        const envelope = await readJson(request, Envelope);
        const { created, receipt } = await claim(parts, { scope: scopeIn(found), seq: Number(found.seq), envelope });
        return answer("putScope", created ? 201 : 200, { receipt });
      },
      { params: params.statement, parse: "none" },
    )
    .get(
      ROUTES.scope.path,
      async ({ params: found }) => {
        const chain = await loggedChain(parts.store, scopeIn(found), await requireHead(parts.store));
        if (chain.chain.length === 0) throw refuseRequest("E_REGISTRY_NOT_FOUND", { scope: chain.scope });
        return answer("scope", 200, chain, ASK_AGAIN);
      },
      { params: params.scope },
    );
}

/** A scope's statements that the log of `head` holds, each with its receipt. */
export async function loggedChain(store: Store, scope: Scope, head: Head): Promise<ScopeAnswer> {
  const chain: ScopeAnswer["chain"] = [];
  for (const { envelope, index } of await store.scopeChain(scope)) {
    if (index !== null && index < head.size) {
      chain.push({ envelope: JSON.parse(envelope), receipt: await receiptOf(store, index, head) });
    }
  }
  return { scope, chain };
}
