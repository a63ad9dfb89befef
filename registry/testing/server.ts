import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sha256 } from "@hookpkg/spec";
import { type Outside, serveRegistry } from "../index.ts";

/** For tests: a real server on an empty data folder, both gone after `stop`. */
export type Started = { readonly url: string; readonly root: Sha256; readonly dataDir: string; stop(): Promise<void> };

export async function startRegistry(outside: Partial<Outside> = {}): Promise<Started> {
  const dataDir = await emptyFolder();
  const { url, root, stop } = await serveRegistry({ dataDir, outside });
  return {
    url,
    root,
    dataDir,
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

export function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "hookpkg-registry-"));
}
