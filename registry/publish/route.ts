import { Envelope, ROUTES } from "@hookpkg/protocol";
import { Elysia } from "elysia";
import { answer } from "../http/answer.ts";
import { nameIn, params, versionIn } from "../http/params.ts";
import { readJson } from "../http/request.ts";
import type { Parts } from "../parts.ts";
import { publish } from "./publish.ts";

export function publishRoutes(parts: Parts) {
  return new Elysia({ normalize: false }).put(
    ROUTES.publish.path,
    async ({ request, params: found }) => {
      const envelope = await readJson(request, Envelope);
      const { created, receipt } = await publish(parts, { name: nameIn(found), version: versionIn(found), envelope });
      return answer("publish", created ? 201 : 200, { receipt });
    },
    { params: params.version, parse: "none" },
  );
}
