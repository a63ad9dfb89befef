import { resolve } from "node:path";
import type { Fault } from "@hookpkg/fault";
import { approve, type HandlerView, liveSessions, REAL_OUTSIDE, readApprovers } from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import { isIdentity, isSha256, type Sha256 } from "@hookpkg/spec";
import { keyRing } from "../author/key-file.ts";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { type Approved, approvedNow } from "./approved-now.ts";
import { insideHost, refuseInside } from "./inside-host.ts";
import { ORDER } from "./order-page.ts";
import {
  askedIdentity,
  dropCommand,
  isDropped,
  isRejected,
  meant,
  named,
  type ProjectTrust,
  proposedOptions,
  waitingIn,
} from "./project-trust.ts";
import { record, recordOrder } from "./record.ts";

/** Without a terminal: exactly the identities that were named, and only the project's options that were, by an automation key. */
export async function byIdentity(call: Call, trust: ProjectTrust): Promise<Approved> {
  const inside = insideHost(call, trust.home);
  if (inside?.facts.marker !== undefined) throw inside;
  const candidates = [...waitingIn(trust.view), ...trust.view.handlers.filter(isRejected)];
  const words = meant(call.args, call.cwd, trust.place.root);
  const meantOnes = named(candidates, words);
  const waiting = meantOnes.filter((one) => one.proposed !== undefined);
  const chosen = call.flags.texts("identity").flatMap((identity) => {
    if (!isIdentity(identity))
      throw refuse("E_USAGE", { found: identity.slice(0, 100), expected: "hk1: and 43 signs" });
    const found = waiting.filter((one) => askedIdentity(one) === identity);
    if (found.length > 0) return found;
    const gone = meantOnes.find((one) => isDropped(one) && one.identity === identity);
    if (gone !== undefined) throw refuse("E_IDENTITY_DROPPED", { handler: gone.name, instead: dropCommand(gone) });
    throw refuse("E_IDENTITY_UNKNOWN", { identity, waiting: waiting.map(askedIdentity).slice(0, 20) });
  });
  const digests = namedOptions(call, chosen);
  const signer = await keyRing(call).open(resolve(call.cwd, call.flags.text("key") ?? ""));
  if (inside) await refuseLive(trust, signer, inside);
  const decisions = [...new Set(chosen)].map((view) => {
    const options = digests.find((digest) => digest === proposedOptions(view));
    return { view, decided: "approved" as const, options };
  });
  return approvedNow(call, trust, await record(trust.home, trust.place.root, decisions, { signer, how: "identity" }));
}

/** Digests that were named must each be what is proposed with one of the handlers. */
function namedOptions({ flags }: Call, chosen: readonly HandlerView[]): Sha256[] {
  return flags.texts("options").map((digest) => {
    if (!isSha256(digest)) throw refuse("E_USAGE", { found: digest.slice(0, 100), expected: "sha256: and 64 signs" });
    if (!chosen.some((view) => proposedOptions(view) === digest))
      throw refuse("E_OPTIONS_UNKNOWN", { options: digest });
    return digest;
  });
}

/** The same for an order: exactly the one that was named. */
export async function byOrder(call: Call, trust: ProjectTrust): Promise<Approved> {
  refuseInside(call, trust.home);
  const digest = call.flags.text("order") ?? "";
  if (!isSha256(digest)) throw refuse("E_USAGE", { found: digest.slice(0, 100), expected: "sha256: and 64 signs" });
  const signer = await keyRing(call).open(resolve(call.cwd, call.flags.text("key") ?? ""));
  await recordOrder(trust.home, trust.place.root, { digest, decided: "approved" }, { signer, how: "identity" });
  return approvedNow(call, trust, { approved: [ORDER], rejected: [] });
}

/** Inside a host whose session is live the session is what a script must be told of: it ends, a process above may not. */
async function refuseLive({ home, place }: ProjectTrust, signer: PrivateKey, inside: Fault): Promise<never> {
  const isAutomation = readApprovers(home).keys.some(({ id, kind }) => id === signer.id && kind === "automation");
  if (isAutomation && liveSessions(home, place.id, REAL_OUTSIDE).length > 0) {
    const note = { how: "identity", by: signer.id, at: REAL_OUTSIDE.now().toISOString() } as const;
    await approve(home, place, [], { signer, note, outside: REAL_OUTSIDE });
  }
  throw inside;
}
