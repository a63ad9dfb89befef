import {
  approve,
  approveOrder,
  drop,
  type HandlerView,
  type Home,
  type Place,
  REAL_OUTSIDE,
  registerProject,
  USER,
} from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import type { HandlerName, Identity, Sha256 } from "@hookpkg/spec";
import { OWN_LAYER } from "./project-trust.ts";

/** What a person decided about one waiting handler. */
export type Decision = {
  view: HandlerView;
  decided: "approved" | "rejected";
  /** Digest of the values that were shown or named; without it, none that the project sets. */
  options?: Sha256 | undefined;
};
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
  const project = await registerProject(home, root);
  const note = { how, by: signer.id, at: REAL_OUTSIDE.now().toISOString() };
  const wanted = decisions.flatMap(({ view, decided, options }) =>
    proposalOf(view).map((proposal) => ({ ...proposal, decided, options })),
  );
  const gone = decisions.flatMap(({ view, decided }) => (decided === "approved" && leaves(view) ? [view.name] : []));
  for (const place of [USER, project] as const) {
    const [asked, left] = [
      wanted.filter(({ handler }) => isIn(place, handler)),
      gone.filter((name) => isIn(place, name)),
    ];
    if (asked.length > 0) await approve(home, place, asked, { signer, note, outside: REAL_OUTSIDE });
    if (left.length > 0) await drop(home, place, left, { signer, outside: REAL_OUTSIDE });
  }
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
  for (const place of [USER, await registerProject(home, root)] as const) {
    const here = handlers.filter((name) => isIn(place, name));
    if (here.length > 0) await drop(home, place, here, { signer, outside: REAL_OUTSIDE });
  }
}

/** The person's own layer stands in no project. */
function isIn(place: Place, handler: HandlerName): boolean {
  return handler.startsWith(`${OWN_LAYER}#`) === (place === USER);
}

/** Exactly what the person was shown: bytes that change in between have another identity, and are refused. */
function proposalOf({ proposed }: HandlerView): { handler: HandlerName; identity: Identity }[] {
  return proposed === undefined ? [] : [{ handler: proposed.name, identity: proposed.identity }];
}

function leaves(view: HandlerView): boolean {
  return view.change === "dropped" || view.change === "renamed";
}
