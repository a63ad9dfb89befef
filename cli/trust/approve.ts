import { resolve } from "node:path";
import type { Fault } from "@hookpkg/fault";
import {
  approve,
  type HandlerView,
  homeFolders,
  liveSessions,
  type OrderChange,
  REAL_OUTSIDE,
  readApprovers,
} from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import { type CommandData, EXIT, isIdentity, isSha256, type Sha256 } from "@hookpkg/spec";
import { keyRing } from "../author/key-file.ts";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { askingHosts, attachedHosts, neverAsked, reachLines, reachOfView } from "../host/reach.ts";
import { approvalView } from "./approval-view.ts";
import { approverKey } from "./approver-key.ts";
import { unreadableApprovals } from "./broken.ts";
import { insideHost, refuseInside } from "./inside-host.ts";
import { handlerLines } from "./list.ts";
import { ORDER, orderLines, orderWaits, waitingLines } from "./order-page.ts";
import { adviceLines, pageLines } from "./page.ts";
import {
  among,
  askable,
  askedIdentity,
  handlerState,
  isRejected,
  lookAt,
  meant,
  named,
  openTrust,
  type ProjectTrust,
  projectOptions,
  proposedOptions,
  waitingIn,
} from "./project-trust.ts";
import { type Recorded, record, recordDrops, recordOrder } from "./record.ts";
import { mendedTrust } from "./start-over.ts";

type Approved = Done<CommandData["approve"]>;

/** Looks at what waits; decides about it at a terminal, or by a key that was made for scripts. */
export async function run(call: Call): Promise<Approved | Done<CommandData["approve --list"]>> {
  const mode = modeOf(call);
  if (mode === "list") return list(call, await openTrust(call));
  if (mode === "identity") return byIdentity(call, await openTrust(call));
  if (mode === "order") return byOrder(call, await openTrust(call));
  refuseInside(call, homeFolders(call.home));
  if (mode === "names") return byName(call, await openTrust(call));
  const found = await openTrust(call);
  const trust = await mendedTrust(call, found);
  if (trust === undefined) return done(call, found, { approved: [], rejected: [] });
  const waiting = askable(call, trust, call.args);
  const order = call.args.length === 0 ? orderWaits(trust.view.order) : undefined;
  if (waiting.length === 0 && order === undefined) return done(call, trust, { approved: [], rejected: [] });
  if (!call.terminal.interactive)
    throw refuse("E_NO_TERMINAL", { waiting: waiting.length + (order ? 1 : 0), instead: instead(waiting, order) });
  return done(call, trust, await approvalView(call, trust, call.args));
}

type Mode = "list" | "identity" | "order" | "names" | "view";

/** One way at a time. `--yes` never approves: nobody would have looked. */
function modeOf({ args, flags }: Call): Mode {
  const asked: Mode[] = [];
  if (flags.on("list")) asked.push("list");
  if (flags.texts("identity").length > 0) asked.push("identity");
  if (flags.text("order") !== undefined) asked.push("order");
  if (flags.texts("reject").length + flags.texts("drop").length > 0) asked.push("names");
  const [mode = "view", other] = asked;
  if (flags.on("yes")) throw refuse("E_USAGE", { found: "--yes", expected: "an approval is never taken for granted" });
  if (other) throw refuse("E_USAGE", { expected: "one of --list, --identity, --order, or --reject and --drop" });
  if (args.length > 0 && mode === "names") throw refuse("E_USAGE", { found: args[0] ?? "", expected: "no other name" });
  if (flags.texts("options").length > 0 && mode !== "identity")
    throw refuse("E_USAGE", { found: "--options", expected: "--identity, too" });
  if ((mode === "identity" || mode === "order") && flags.text("key") === undefined)
    throw refuse("E_USAGE", { expected: "--key FILE, too" });
  return mode;
}

async function list(call: Call, trust: ProjectTrust): Promise<Done<CommandData["approve --list"]>> {
  const { home, place, view } = trust;
  const waiting = among(waitingIn(view), view, meant(call.args, call.cwd, place.root));
  const broken = await unreadableApprovals(home);
  const order = call.args.length === 0 ? orderWaits(view.order) : undefined;
  const lines = [
    ...waiting.flatMap((one) => [
      ...handlerLines(one, { full: true }),
      ...pageLines(askedIdentity(one), "    "),
      ...pageLines(projectOptions(one) ? `with options of this project: ${projectOptions(one)}` : "", "    "),
    ]),
    ...orderLines(order),
  ];
  return {
    data: {
      waiting: waiting.map((one) => {
        const options = projectOptions(one);
        const about = { ...handlerState(one, askedIdentity(one)), project: place.root };
        return options === undefined ? about : { ...about, options };
      }),
      ...(order === undefined ? {} : { order: { digest: order.digest, events: order.events } }),
    },
    lines: [
      ...broken.flatMap(({ text, command = "" }) => adviceLines(text, command)),
      ...lines,
      ...nothing(lines, broken),
    ],
    exit: broken.length > 0 ? EXIT.failed : lines.length > 0 ? EXIT.waits : EXIT.ok,
  };
}

/** Only where it is known: approvals that cannot be read may wait for anything. */
function nothing(lines: readonly string[], broken: readonly unknown[]): string[] {
  return lines.length + broken.length === 0 ? ["nothing waits for approval"] : [];
}

/** Without a terminal: exactly the identities that were named, and only the project's options that were, by an automation key. */
async function byIdentity(call: Call, trust: ProjectTrust): Promise<Approved> {
  const inside = insideHost(call, trust.home);
  if (inside?.facts.marker !== undefined) throw inside;
  const candidates = [...waitingIn(trust.view), ...trust.view.handlers.filter(isRejected)];
  const words = meant(call.args, call.cwd, trust.place.root);
  const waiting = named(candidates, words).filter((one) => one.proposed !== undefined);
  const chosen = call.flags.texts("identity").flatMap((identity) => {
    if (!isIdentity(identity))
      throw refuse("E_USAGE", { found: identity.slice(0, 100), expected: "hk1: and 43 signs" });
    const found = waiting.filter((one) => askedIdentity(one) === identity);
    if (found.length === 0)
      throw refuse("E_IDENTITY_UNKNOWN", { identity, waiting: waiting.map(askedIdentity).slice(0, 20) });
    return found;
  });
  const digests = namedOptions(call, chosen);
  const signer = await keyRing(call).open(resolve(call.cwd, call.flags.text("key") ?? ""));
  if (inside) await refuseLive(trust, signer, inside);
  const decisions = [...new Set(chosen)].map((view) => {
    const options = digests.find((digest) => digest === proposedOptions(view));
    return { view, decided: "approved" as const, options };
  });
  return done(call, trust, await record(trust.home, trust.place.root, decisions, { signer, how: "identity" }));
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
async function byOrder(call: Call, trust: ProjectTrust): Promise<Approved> {
  refuseInside(call, trust.home);
  const digest = call.flags.text("order") ?? "";
  if (!isSha256(digest)) throw refuse("E_USAGE", { found: digest.slice(0, 100), expected: "sha256: and 64 signs" });
  const signer = await keyRing(call).open(resolve(call.cwd, call.flags.text("key") ?? ""));
  await recordOrder(trust.home, trust.place.root, { digest, decided: "approved" }, { signer, how: "identity" });
  return done(call, trust, { approved: [ORDER], rejected: [] });
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

async function byName(call: Call, trust: ProjectTrust): Promise<Approved> {
  const typed = (flag: string) => meant(call.flags.texts(flag), call.cwd, trust.place.root);
  const words = typed("reject").filter((word) => word !== ORDER);
  const rejects = words.length === 0 ? [] : named(waitingIn(trust.view), words);
  const order = call.flags.texts("reject").includes(ORDER) ? orderWaits(trust.view.order) : undefined;
  for (const { name, proposed } of rejects)
    if (proposed === undefined) throw refuse("E_HANDLER_UNKNOWN", { handler: name, expected: "--drop, or nothing" });
  const drops = typed("drop").length === 0 ? [] : named(approvedIn(trust), typed("drop"));
  const signer = await approverKey(call, trust.home, trust.place.id);
  const decisions = rejects.map((view) => ({ view, decided: "rejected" as const, options: proposedOptions(view) }));
  const recorded = await record(trust.home, trust.place.root, decisions, { signer, how: "terminal" });
  const gone = drops.map(({ name }) => name);
  if (gone.length > 0) await recordDrops(trust.home, trust.place.root, gone, signer);
  if (order === undefined) return done(call, trust, recorded, gone);
  const decision = { digest: order.digest, decided: "rejected" } as const;
  await recordOrder(trust.home, trust.place.root, decision, { signer, how: "terminal" });
  return done(call, trust, { ...recorded, rejected: [...recorded.rejected, ORDER] }, gone);
}

function approvedIn({ view }: ProjectTrust): HandlerView[] {
  return view.handlers.filter((one) => one.approved !== undefined || one.why === "E_APPROVALS_OLDER");
}

async function done(
  call: Call,
  { home, place }: ProjectTrust,
  recorded: Recorded,
  dropped: readonly string[] = [],
): Promise<Approved> {
  const { view } = await lookAt(home, place.root);
  const waiting = [...waitingIn(view).map(({ name }) => name), ...(orderWaits(view.order) ? [ORDER] : [])];
  const hosts = recorded.approved.length === 0 ? [] : await attachedHosts(call, home, place.root);
  const approved = view.handlers.filter(({ name }) => recorded.approved.includes(name));
  const reach = new Map(approved.map((one) => [one.name, reachOfView(hosts, one)] as const));
  const { attached, lines: nobody } = askingHosts(hosts);
  const isNever = [...reach.values()].some(neverAsked);
  const said = [...recorded.rejected.map((name) => `rejected: ${name}`), ...dropped.map((name) => `dropped: ${name}`)];
  const broken = await unreadableApprovals(home);
  const rest = [...broken.flatMap(({ text, command = "" }) => adviceLines(text, command)), ...waitingLines(view)];
  return {
    data: { ...recorded, waiting, ...(reach.size === 0 ? {} : { attached, reach: Object.fromEntries(reach) }) },
    lines: [
      ...recorded.approved.flatMap((name) => [
        ...pageLines(`approved: ${name}`),
        ...reachLines(reach.get(name as HandlerView["name"]) ?? []), // the order of hooks is no handler, and reaches none
      ]),
      ...(reach.size === 0 ? [] : nobody),
      ...said.flatMap((line) => pageLines(line)),
      ...rest,
      ...nothing(rest, broken),
    ],
    exit: broken.length > 0 || isNever ? EXIT.failed : EXIT.ok,
  };
}

/** What a script would have to say to approve all that waits. */
function instead(waiting: readonly HandlerView[], order: OrderChange | undefined): string {
  const byOrder = order === undefined ? [] : [`hookpkg approve --order ${order.digest} --key FILE`];
  const identities = [...new Set(waiting.filter((one) => one.proposed).map(askedIdentity))];
  const options = [...new Set(waiting.flatMap((one) => projectOptions(one) ?? []))];
  const words = [...identities.map((each) => `--identity ${each}`), ...options.map((each) => `--options ${each}`)];
  const byIdentities = `hookpkg approve ${words.join(" ")} --key FILE`;
  return [...(identities.length > 0 ? [byIdentities] : []), ...byOrder].join("; ");
}
