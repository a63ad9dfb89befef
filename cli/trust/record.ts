import {
  approve,
  approveOrder,
  drop,
  type HandlerView,
  type Home,
  REAL_OUTSIDE,
  registerProject,
} from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import type { HandlerName, Identity, Sha256 } from "@hookpkg/spec";

/** What a person decided about one waiting handler. */
export type Decision = { view: HandlerView; decided: "approved" | "rejected" };
export type Recorded = { approved: string[]; rejected: string[] };

/**
 * Signs decisions and writes them down. Approving that a handler is gone, or goes by another name now, takes the old one out
 * of the approved set.
 */
export async function record(
  home: Home,
  root: string,
  decisions: readonly Decision[],
  { signer, how }: { signer: PrivateKey; how: "terminal" | "identity" },
): Promise<Recorded> {
  const place = await registerProject(home, root);
  const note = { how, by: signer.id, at: REAL_OUTSIDE.now().toISOString() };
  const wanted = decisions.flatMap(({ view, decided }) =>
    proposalOf(view).map((proposal) => ({ ...proposal, decided })),
  );
  const gone = decisions.flatMap(({ view, decided }) => (decided === "approved" && leaves(view) ? [view.name] : []));
  if (wanted.length > 0) await approve(home, place, wanted, { signer, note, outside: REAL_OUTSIDE });
  if (gone.length > 0) await drop(home, place, gone, { signer, outside: REAL_OUTSIDE });
  const names = (kind: Decision["decided"]) =>
    decisions.filter(({ decided }) => decided === kind).map(({ view }) => view.proposed?.name ?? view.name);
  return { approved: names("approved"), rejected: names("rejected") };
}

/** A decision about the order that was shown: `digest` names exactly that one. */
export async function recordOrder(
  home: Home,
  root: string,
  { digest, decided }: { digest: Sha256; decided: "approved" | "rejected" },
  { signer, how }: { signer: PrivateKey; how: "terminal" | "identity" },
): Promise<void> {
  const note = { how, by: signer.id, at: REAL_OUTSIDE.now().toISOString() };
  await approveOrder(
    home,
    await registerProject(home, root),
    { digest, decided },
    { signer, note, outside: REAL_OUTSIDE },
  );
}

/** The person consents to the removal of handlers by name. */
export async function recordDrops(
  home: Home,
  root: string,
  handlers: readonly HandlerName[],
  signer: PrivateKey,
): Promise<void> {
  await drop(home, await registerProject(home, root), handlers, { signer, outside: REAL_OUTSIDE });
}

/** Exactly what the person was shown: bytes that change in between have another identity, and are refused. */
function proposalOf({ proposed }: HandlerView): { handler: HandlerName; identity: Identity }[] {
  return proposed === undefined ? [] : [{ handler: proposed.name, identity: proposed.identity }];
}

function leaves(view: HandlerView): boolean {
  return view.change === "dropped" || view.change === "renamed";
}
