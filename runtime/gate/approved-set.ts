import { isFault } from "@hookpkg/fault";
import { type Approval, EVENT_NAMES, type HandlerName, type Identity, type Policy } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readLayers } from "../layers/layer.ts";
import { MANAGED_LAYER, managedLayer } from "../layers/managed-layer.ts";
import type { Outside } from "../outside.ts";
import { readApprovals } from "../person/approvals.ts";
import { BEFORE_TOOLS, closedIds, type Guard, readClosed } from "../person/closed.ts";
import { readPolicy } from "../person/policy.ts";
import { USER } from "../person/projects.ts";
import { lostGuards, strayIds } from "./lost-guards.ts";
import { managedHandlers } from "./managed.ts";
import { type Place, placeId } from "./proposals.ts";
import { approvedOrder } from "./proposed-order.ts";
import type { Approved, GateProblem, Held, Tier } from "./runnable.ts";
import { undecidedIn, type Waiting } from "./undecided.ts";

/** All that may run in some projects, in source order, whatever the event; and what is held before any bytes are looked at. */
export type ApprovedSet = {
  handlers: readonly Approved[];
  held: readonly Held[];
  /** What the person switched off. It holds nothing, and a reference to it is not dead. */
  off: readonly SwitchedOff[];
  /** What the locks propose beside it and nobody decided about, by the locks' own word: enough to ask, not to approve. */
  waiting: readonly Waiting[];
  /** A person switched safe mode on. */
  isSafe: boolean;
  problems: readonly GateProblem[];
};

export type SwitchedOff = { handler: Approved; why: "E_GATE_DISABLED" | "E_GATE_SAFE_MODE" };

/**
 * The approved set of a person for these projects (outermost first) and for all of their projects, after the machine's own.
 * When the approvals can't be read, every stage that a closed handler is known to guard is held; a lock changes nothing here
 * but the word `modified`.
 */
export async function approvedSet(home: Home, places: readonly Place[], outside: Outside): Promise<ApprovedSet> {
  const root = rootOf(places);
  const managed = await managedSet(home, { project: placeId(places.at(-1) ?? USER), projectRoot: root }, outside);
  const read = await readApprovals(home);
  const all: readonly Place[] = [...places.filter((place) => place !== USER), USER];
  if (read.read === "unreadable") {
    const problem = { code: read.why, facts: { file: read.file } };
    const guardsOn = (ids: readonly string[]) => ids.flatMap((id) => heldFromClosed(home, id, read.why));
    // Something was approved, and nothing is left that says what was guarded.
    const ids = closedIds(home);
    const isAllGone = ids.length === 0 || (read.why === "E_APPROVALS_ABSENT" && guardsOn(ids).length === 0);
    const held = [
      ...guardsOn([...all.map(placeId), ...strayIds(home)]),
      ...(isAllGone ? heldAtTools("layer:user#approvals", read.why, USER) : []),
    ];
    return { ...managed, held: [...managed.held, ...held], problems: [...managed.problems, problem] };
  }
  const projects = read.read === "signed" ? read.projects : {};
  const lost = lostGuards(home, all.map(placeId), projects);
  const approvalsOf = (place: Place) =>
    Object.hasOwn(projects, placeId(place)) ? projects[placeId(place)] : undefined;
  const isSafe = all.some((place) => approvalsOf(place)?.safeMode !== undefined);
  const waiting: Waiting[] = [];
  const off: SwitchedOff[] = [];
  const handlers: Approved[] = [];
  for (const place of all) {
    const approvals = approvalsOf(place);
    const undecided = undecidedIn(home, place, approvals, await readLayers(home, place));
    waiting.push(...undecided.waiting);
    // What is the person's own stands in every project, so safe mode in one of them reaches it there.
    const isOff = approvals?.safeMode !== undefined || (place === USER && isSafe);
    for (const name of approvals === undefined ? [] : approvedOrder(approvals)) {
      const entry = approvals?.entries[name];
      if (entry === undefined) continue;
      const handler = fromApproval(name, entry, { place, root, lock: undecided.lock });
      if (entry.decided === "disabled") off.push({ handler, why: "E_GATE_DISABLED" });
      else if (isOff) off.push({ handler, why: "E_GATE_SAFE_MODE" });
      else handlers.push(handler);
    }
  }
  return {
    handlers: ranked([...managed.handlers, ...handlers]),
    held: [...managed.held, ...lost.held],
    ...{ off, waiting, isSafe },
    problems: [...managed.problems, ...lost.problems],
  };
}

const NOBODY = { off: [], waiting: [], isSafe: false };

async function managedSet(
  home: Home,
  at: { project: string; projectRoot: string },
  outside: Outside,
): Promise<ApprovedSet> {
  let policy: Policy;
  try {
    policy = readPolicy(outside);
  } catch (error) {
    if (!isFault(error)) throw error;
    const held = heldAtTools("layer:managed#policy", error.code, "managed");
    return {
      handlers: [],
      held,
      ...NOBODY,
      problems: [{ code: error.code, facts: { file: outside.policyFile } }],
    };
  }
  const { handlers, missing } = await managedHandlers(home, policy, at);
  const layer = await managedLayer(home, at, outside);
  // What a managed handler guards is not known without its bytes; that it must be asked is.
  const held = [
    ...missing.flatMap(({ code, facts }) => heldAtTools(`${facts.handler}` as HandlerName, code, "managed")),
    ...(layer.broken ? heldAtTools(`${MANAGED_LAYER}#hooks`, layer.broken.code, "managed") : []),
  ];
  const problems = [...missing, layer.broken ?? [], layer.refused ?? []].flat();
  return { handlers: [...layer.handlers, ...handlers], held, ...NOBODY, problems };
}

/** From what was written for the day when nothing else can be read. Absent or unreadable: tool calls are guarded. */
function heldFromClosed(home: Home, project: string, why: string): Held[] {
  let guards: readonly Guard[] | undefined;
  try {
    guards = readClosed(home, project);
  } catch (error) {
    if (!isFault(error)) throw error;
    return heldAtTools("layer:user#approvals", why, project);
  }
  if (guards === undefined) return project === USER ? [] : heldAtTools("layer:user#approvals", why, project);
  return guards.map(({ handler, event, matcher }) => ({
    ...{ kind: "held", name: handler as HandlerName, identity: null, event, matcher, why, project }, // written by `guardsOf`
  }));
}

/** Nothing tells what is guarded there, so every tool call is. */
function heldAtTools(name: HandlerName, why: string, project: string): Held[] {
  return EVENT_NAMES.filter((event) => BEFORE_TOOLS.includes(event)).map((event) => ({
    ...{ kind: "held", name, identity: null, event, matcher: null, why, project },
  }));
}

type At = { place: Place; root: string; lock: ReadonlyMap<string, Identity> | undefined };

function fromApproval(name: string, entry: Approval, { place, root, lock }: At): Approved {
  const [source = "", id = ""] = splitName(name);
  const isModified = lock !== undefined && lock.get(name) !== entry.identity;
  return {
    name: `${source}#${id}`,
    source,
    id,
    tier: tierOf(source, place),
    identity: entry.identity,
    normalForm: entry.normalForm,
    state: isModified ? "modified" : "trusted",
    tree: entry.tree,
    options: entry.options.values,
    project: placeId(place),
    projectRoot: place === USER ? root : place.root,
  };
}

export function splitName(name: string): [source: string, id: string] {
  const at = name.lastIndexOf("#");
  return [name.slice(0, at), name.slice(at + 1)];
}

function tierOf(source: string, place: Place): Tier {
  if (source === "layer:user") return "user";
  if (source === "layer:project") return "project";
  if (source === "layer:local") return "local";
  return place === USER ? "user-package" : "package";
}

/** Order of the tiers: nothing goes before managed or user handlers by a lower tier's wish. */
const RANK: Record<Tier, number> = { managed: 0, user: 1, "user-package": 2, project: 3, local: 4, package: 5 };

/** Source order. One handler with one set of options stands once, at its first place: it runs once per call. */
function ranked(handlers: readonly Approved[]): Approved[] {
  const sorted = [...handlers].sort((a, b) => RANK[a.tier] - RANK[b.tier]);
  const key = ({ name, identity, options }: Approved) =>
    JSON.stringify([name, identity, Object.entries(options).sort()]);
  return [...new Map(sorted.toReversed().map((handler) => [key(handler), handler])).values()].toReversed();
}

function rootOf(places: readonly Place[]): string {
  const roots = places.flatMap((place) => (place === USER ? [] : [place.root]));
  return roots.at(-1) ?? "/";
}
