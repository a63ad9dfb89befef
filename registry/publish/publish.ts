import type { Receipt } from "@hookpkg/log";
import { refuseRequest } from "@hookpkg/protocol";
import { statementDigest } from "@hookpkg/signing";
import type { Parts } from "../parts.ts";
import type { Added } from "../store/store.ts";
import { type Checked, check, type Upload } from "./check.ts";

declare const stored: unique symbol;
/** Station 6: a release that has its place and waits for the log as `entry`. */
type Stored = { readonly [stored]: true; readonly entry: number; readonly created: boolean };

/** Stations 5 to 7: check, store, log. Answers once the release is in the log; `created` is false when it was there before. */
export async function publish(parts: Parts, upload: Upload): Promise<{ created: boolean; receipt: Receipt }> {
  const { entry, created } = (await earlier(parts, upload)) ?? (await store(parts, await check(parts, upload)));
  const receipt = await parts.sequencer.logged(entry);
  parts.outside.reached("publish:logged");
  return { created, receipt };
}

/** This very statement, published before: however the world has changed since, its author may hear so again. */
async function earlier(parts: Parts, { name, version, envelope }: Upload): Promise<Stored | null> {
  const there = await parts.store.version(name, version);
  if (there === null) return null;
  const same = there.statement === statementDigest(envelope);
  return placed(
    same ? { kind: "same", entry: there.entry } : { kind: "other", statement: there.statement },
    name,
    version,
  );
}

async function store(parts: Parts, { row }: Checked): Promise<Stored> {
  parts.outside.reached("publish:checked");
  const place = placed(await parts.store.addVersion(row), row.name, row.version);
  parts.outside.reached("publish:stored");
  return place;
}

function placed(added: Added, name: string, version: string): Stored {
  if (added.kind === "other") throw refuseRequest("E_REGISTRY_CONFLICT", { name, version, statement: added.statement });
  if (added.kind === "lookalike") throw refuseRequest("E_REGISTRY_LOOKALIKE", { name, taken: added.scope });
  return { entry: added.entry, created: added.kind === "added" } as Stored; // the brand has no value
}
