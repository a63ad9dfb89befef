import { JSON_TYPE, ResolveRequest, ROUTES, refuseRequest } from "@hookpkg/protocol";
import { Elysia } from "elysia";
import { ASK_AGAIN, answer, PLAIN, text } from "../http/answer.ts";
import { nameIn, params, versionIn } from "../http/params.ts";
import { readJson } from "../http/request.ts";
import { requireHead } from "../log/sequencer.ts";
import type { Parts } from "../parts.ts";
import { createMetadata } from "./metadata.ts";
import { resolve, versionAnswer } from "./resolve.ts";

export function packageRoutes({ store }: Parts) {
  const metadata = createMetadata(store);
  return new Elysia({ normalize: false })
    .get(
      ROUTES.package.path,
      async ({ request, params: found }) => {
        const name = nameIn(found);
        const prepared = await metadata(name);
        if (prepared === null) throw refuseRequest("E_REGISTRY_NOT_FOUND", { name });
        const headers = { ...ASK_AGAIN, etag: prepared.etag };
        const unchanged = request.headers.get("if-none-match") === prepared.etag;
        return unchanged
          ? new Response(null, { status: 304, headers: { ...PLAIN, ...headers } })
          : text(200, prepared.body, JSON_TYPE, headers);
      },
      { params: params.package },
    )
    .get(
      ROUTES.version.path,
      async ({ params: found }) => {
        const [name, version] = [nameIn(found), versionIn(found)];
        const stored = await store.version(name, version);
        if (stored === null) throw refuseRequest("E_REGISTRY_NOT_FOUND", { name, version });
        return answer("version", 200, await versionAnswer(store, stored, await requireHead(store)), ASK_AGAIN);
      },
      { params: params.version },
    )
    .post(
      ROUTES.resolve.path,
      async ({ request }) =>
        answer("resolve", 200, await resolve({ store, metadata }, await readJson(request, ResolveRequest))),
      { parse: "none" },
    );
}
