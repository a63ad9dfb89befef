import { ROUTES } from "@hookpkg/protocol";
import { Elysia } from "elysia";
import { blobRoutes } from "../blobs/route.ts";
import { logRoutes } from "../log/route.ts";
import { packageRoutes } from "../packages/route.ts";
import type { Parts } from "../parts.ts";
import { publishRoutes } from "../publish/route.ts";
import { scopeRoutes } from "../scopes/route.ts";
import { answer } from "./answer.ts";
import { refusal } from "./errors.ts";

/** The registry as one request handler. Every feature brings its own routes; every error leaves as a problem document. */
export function createApp(parts: Parts): (request: Request) => Promise<Response> {
  // standardHostname off: else a Host of one or two letters is taken for a part of the path.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError({ as: "global" }, ({ error }) => refusal(error, parts.outside))
    .use(logRoutes(parts))
    .use(scopeRoutes(parts))
    .use(blobRoutes(parts))
    .use(publishRoutes(parts))
    .use(packageRoutes(parts))
    .get(ROUTES.health.path, async () =>
      answer("health", 200, { ok: true, size: (await parts.store.head())?.size ?? 0 }),
    )
    .compile();
  return async (request) => {
    try {
      return await app.fetch(request);
    } catch (error) {
      return refusal(error, parts.outside);
    }
  };
}
