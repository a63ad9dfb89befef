import type { Blobs } from "./blobs/blobs.ts";
import type { LogKey } from "./keys/log-key.ts";
import type { Sequencer } from "./log/sequencer.ts";
import type { Outside } from "./outside.ts";
import type { Store } from "./store/store.ts";

/** What one running registry consists of; every feature is handed all of it. */
export type Parts = {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly sequencer: Sequencer;
  readonly key: LogKey;
  readonly outside: Outside;
};
