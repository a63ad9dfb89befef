import type { KeyObject } from "node:crypto";
import { grow, inclusionProof, type Node, type Receipt, requireEntry, rootHash, signCheckpoint } from "@hookpkg/log";
import { refuseRequest } from "@hookpkg/protocol";
import type { Outside } from "../outside.ts";
import type { Head, Pending, Store } from "../store/store.ts";

const MAX_BATCH_ENTRIES = 256;

export type SequencerParts = {
  readonly store: Store;
  readonly origin: string;
  readonly privateKey: KeyObject;
  readonly outside: Outside;
  /** Keeps the newest checkpoint beside the database, so that a database restored from an old copy is noticed. */
  remember(note: string): Promise<void>;
};

/** Station 7. Turns stored entries into log entries, in order, a batch at a time, one batch at once. */
export type Sequencer = {
  /** The receipt of a stored entry, once it is in the log and its checkpoint is on disk. */
  logged(entry: number): Promise<Receipt>;
  /** Logs all that waits: at start, what a crash left behind. */
  drain(): Promise<void>;
  /** Ends the round that runs and begins no other: whoever waits is refused with E_REGISTRY_STOPPING. */
  stop(): Promise<void>;
};

export function createSequencer(parts: SequencerParts): Sequencer {
  const state: State = { running: null, remembered: 0, stopped: false };
  const round = async (): Promise<void> => {
    if (state.stopped) throw refuseRequest("E_REGISTRY_STOPPING");
    state.running ??= appendPending(parts, state).finally(() => {
      state.running = null;
    });
    return state.running;
  };
  return {
    logged: async (entry) => {
      for (;;) {
        const index = await parts.store.indexOf(entry);
        if (index !== null && index < state.remembered) return receiptOf(parts.store, index);
        // A failure of somebody else's round says nothing yet about ours; of our own round it is the answer.
        if (state.running !== null) await state.running.catch(() => {});
        else await round();
      }
    },
    drain: async () => {
      do await round();
      while ((await parts.store.pending(1)).length > 0);
    },
    stop: async () => {
      state.stopped = true;
      await state.running?.catch(() => {});
    },
  };
}

/** `remembered`: the size of the log as written beside the database. */
type State = { running: Promise<void> | null; remembered: number; stopped: boolean };

/** A receipt for entry `index` against the head, the current one by default. */
export async function receiptOf(store: Store, index: number, at?: Head): Promise<Receipt> {
  const head = at ?? (await requireHead(store));
  const proof = await inclusionProof(store, index, head.size);
  return { index, size: head.size, root: base64(head.root), proof: proof.map(base64), checkpoint: head.note };
}

export async function requireHead(store: Store): Promise<Head> {
  const head = await store.head();
  if (head === null) throw new Error("the store has no head; serving starts with one");
  return head;
}

async function appendPending(parts: SequencerParts, state: State): Promise<void> {
  const { store, outside, remember } = parts;
  const pending = await store.pending(MAX_BATCH_ENTRIES);
  if (pending.length > 0) await append(parts, pending);
  const head = await requireHead(store);
  if (head.size === state.remembered) return;
  await remember(head.note);
  state.remembered = head.size;
  outside.reached("log:checkpoint-written");
}

async function append(
  { store, origin, privateKey, outside }: SequencerParts,
  pending: readonly Pending[],
): Promise<void> {
  const { size } = await requireHead(store);
  const growth = await grow(
    store,
    size,
    pending.map(({ leaf }) => requireEntry(leaf)),
  );
  outside.reached("log:grown");
  const root = await rootHash(withNew(store, growth.nodes), growth.size);
  const head = { size: growth.size, root, note: signCheckpoint({ origin, size: growth.size, root }, privateKey) };
  // False: another writer was first. What of ours still waits comes in the next round.
  if (await store.commit(size, { entries: pending.map(({ id }) => id), growth, head }))
    outside.reached("log:committed");
}

function withNew(store: Store, added: readonly (Node & { hash: Uint8Array })[]): Pick<Store, "read"> {
  const fresh = new Map(added.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  return {
    read: async (nodes) => {
      const old = await store.read(nodes.filter(({ level, index }) => !fresh.has(`${level}/${index}`)));
      let next = 0;
      return nodes.map(({ level, index }) => fresh.get(`${level}/${index}`) ?? old[next++] ?? new Uint8Array());
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
