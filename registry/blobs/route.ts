import { BYTES_TYPE, MAX_BLOB_BYTES, MAX_BLOB_MS, ROUTES, refuseRequest } from "@hookpkg/protocol";
import type { Sha256 } from "@hookpkg/spec";
import { Elysia } from "elysia";
import { answer, FOR_EVER, PLAIN } from "../http/answer.ts";
import { params } from "../http/params.ts";
import { readUpload } from "../http/request.ts";
import type { Parts } from "../parts.ts";

export function blobRoutes({ blobs, store }: Parts) {
  return new Elysia({ normalize: false })
    .put(
      ROUTES.putBlob.path,
      async ({ request, params: { sha256 } }) => {
        const digest: Sha256 = `sha256:${sha256}`;
        const body = readUpload(request, MAX_BLOB_BYTES);
        const { created, bytes } = await blobs.put(digest, body, { maxBytes: MAX_BLOB_BYTES, maxMs: MAX_BLOB_MS });
        return answer("putBlob", created ? 201 : 200, { sha256: digest, bytes });
      },
      { params: params.blob, parse: "none" },
    )
    .get(
      ROUTES.blob.path,
      async ({ request, params: { sha256 } }) => {
        const digest: Sha256 = `sha256:${sha256}`;
        // Only what a logged release names: the registry is not a store for strangers' files.
        const path = (await store.shows(digest)) ? blobs.path(digest) : null;
        if (path === null) throw refuseRequest("E_REGISTRY_NOT_FOUND", { blob: digest });
        const headers = { ...PLAIN, ...FOR_EVER, "content-type": BYTES_TYPE, etag: `"${sha256}"` };
        if (request.headers.get("if-none-match") === headers.etag) return new Response(null, { status: 304, headers });
        return new Response(Bun.file(path), { headers });
      },
      { params: params.blob },
    );
}
