import { isFault } from "@hookpkg/fault";
import { consistencyProof, entryBundle, parseTilePath, TILE_WIDTH, type Tile, tileNodes } from "@hookpkg/log";
import { BYTES_TYPE, JSON_TYPE, NOTE_TYPE, ROUTES, refuseRequest } from "@hookpkg/protocol";
import { Elysia } from "elysia";
import { ASK_AGAIN, answer, FOR_EVER, text } from "../http/answer.ts";
import { params } from "../http/params.ts";
import type { Parts } from "../parts.ts";
import type { Store } from "../store/store.ts";
import { requireHead } from "./sequencer.ts";

export function logRoutes({ store, key }: Parts) {
  return new Elysia({ normalize: false })
    .get(ROUTES.root.path, () => text(200, new Uint8Array(key.rootBytes), JSON_TYPE, ASK_AGAIN))
    .get(ROUTES.checkpoint.path, async () =>
      text(200, (await requireHead(store)).note, `${NOTE_TYPE}; charset=utf-8`, ASK_AGAIN),
    )
    .get(
      ROUTES.consistency.path,
      async ({ params: { from, to } }) => {
        const sizes = { from: Number(from), to: Number(to) };
        if (sizes.from > sizes.to || sizes.to > (await requireHead(store)).size)
          throw refuseRequest("E_REGISTRY_NOT_FOUND", sizes);
        const proof = (await consistencyProof(store, sizes.from, sizes.to)).map((hash) =>
          Buffer.from(hash).toString("base64"),
        );
        return answer("consistency", 200, { ...sizes, proof }, FOR_EVER);
      },
      { params: params.sizes },
    )
    .get(ROUTES.tile.path, async ({ params: found }) => {
      const bytes = await tileBytes(store, `tile/${found["*"]}`);
      return text(200, bytes, BYTES_TYPE, FOR_EVER);
    });
}

async function tileBytes(store: Store, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await requireHead(store);
  const [tile, nodes] = tileAt(path, size);
  if (tile.level !== "entries") return new Uint8Array(Buffer.concat([...(await store.read(nodes))]));
  return new Uint8Array(entryBundle(await store.leaves(tile.index * TILE_WIDTH, tile.width)));
}

function tileAt(path: string, size: number): [Tile, ReturnType<typeof tileNodes>] {
  try {
    const tile = parseTilePath(path);
    return [tile, tileNodes(tile, size)];
  } catch (cause) {
    if (isFault(cause)) throw refuseRequest("E_REGISTRY_NOT_FOUND", { tile: path.slice(0, 100) }, cause);
    throw cause;
  }
}
