import { realpathSync } from "node:fs";
import {
  type HandlerView,
  type Home,
  homeFolders,
  isWaiting,
  type Project,
  projectAt,
  REAL_OUTSIDE,
  type TrustView,
  trustView,
  USER,
} from "@hookpkg/runtime";
import type { HandlerState, Identity } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";

/** One project with every handler in it, as a person may look at it. */
export type ProjectTrust = { home: Home; place: Project; view: TrustView };

/** The project of a call and its handlers. Looking changes nothing: an unregistered project stays one. */
export async function openTrust(call: Call): Promise<ProjectTrust> {
  return lookAt(homeFolders(call.home), projectRoot(call));
}

export async function lookAt(home: Home, root: string): Promise<ProjectTrust> {
  const place = projectAt(home, root) ?? { id: UNREGISTERED, root: realpathSync(root) };
  const [view, own] = [await trustView(home, place, REAL_OUTSIDE), await trustView(home, USER, REAL_OUTSIDE)];
  return { home, place, view: withOwnLayer(view, own) };
}

/** Where a person's own handlers stand that go for all of their projects: shown and decided about in each of them. */
export const OWN_LAYER = "layer:user";

function withOwnLayer(view: TrustView, own: TrustView): TrustView {
  const isOwn = ({ source }: HandlerView) => source === OWN_LAYER;
  const isOfLayer = ({ facts }: TrustView["problems"][number]) =>
    facts.layer === OWN_LAYER || facts.package === OWN_LAYER;
  const [handlers, problems] = [own.handlers.filter(isOwn), own.problems.filter(isOfLayer)];
  if (handlers.length + problems.length === 0) return view;
  const others = view.handlers.filter((each) => !isOwn(each));
  return { ...view, handlers: [...handlers, ...others], problems: [...problems, ...view.problems] };
}

/** Nothing can be approved under an id that registration never gives. */
export const UNREGISTERED = "unregistered";

/** What a person is asked about. A held handler waits, too, when other bytes are proposed for it; a new name is one question. */
export function waitingIn({ handlers }: TrustView): HandlerView[] {
  const newNames = new Set(handlers.flatMap((view) => (view.change === "renamed" ? [view.proposed?.name] : [])));
  return handlers.filter((view) => waits(view) && !newNames.has(view.name));
}

function waits(view: HandlerView): boolean {
  return isWaiting(view) || (view.state === "held" && view.change !== undefined && !view.rejected);
}

/** Identity that an approval would name: of what is proposed, where something is. */
export function askedIdentity(view: HandlerView): Identity {
  return view.proposed?.identity ?? view.identity;
}

export function handlerState(view: HandlerView, identity = view.identity): HandlerState {
  const { name, state, why } = view;
  return { handler: name, identity, state, ...(why === undefined ? {} : { why }) };
}

/** Handlers that the words of a command name; all when there are none. E_HANDLER_UNKNOWN for a word that names nothing. */
export function named(views: readonly HandlerView[], words: readonly string[]): HandlerView[] {
  for (const word of words)
    if (!views.some((view) => isNamed(view, word)))
      throw refuse("E_HANDLER_UNKNOWN", {
        handler: word.slice(0, 300),
        known: views.map(({ name }) => name).slice(0, 20),
      });
  return words.length === 0 ? [...views] : views.filter((view) => words.some((word) => isNamed(view, word)));
}

/** `@s/n#id`, or `@s/n` for all of a package; a handler that gets another name goes by both. */
function isNamed(view: HandlerView, word: string): boolean {
  return [view.name, view.source, view.proposed?.name].includes(word);
}
