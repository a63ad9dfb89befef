import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
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
import { type HandlerState, type Identity, nearest, type Sha256 } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { goneLines, projectRoot } from "../project/files.ts";

/** One project with every handler in it, as a person may look at it. */
export type ProjectTrust = { home: Home; place: Project; view: TrustView };

/** The project of a call and its handlers. Looking changes nothing: an unregistered project stays one. */
export async function openTrust(call: Call): Promise<ProjectTrust> {
  const home = homeFolders(call.home);
  const root = projectRoot(call);
  for (const line of goneLines(home, root)) call.terminal.note(line);
  return lookAt(home, root);
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

/** What a person can decide about: what they are asked about and, when they name it, what they rejected before. */
export function askable(
  call: Pick<Call, "cwd">,
  { place, view }: ProjectTrust,
  words: readonly string[],
): HandlerView[] {
  const rejected = words.length === 0 ? [] : view.handlers.filter((one) => isRejected(one));
  return among([...waitingIn(view), ...rejected], view, meant(words, call.cwd, place.root));
}

/** Those of the views that the words name; naming a handler that is not among them is no error, only there is nothing to say. */
export function among(views: readonly HandlerView[], { handlers }: TrustView, words: readonly string[]): HandlerView[] {
  const meantOnes = named(handlers, words);
  return views.filter((view) => meantOnes.includes(view));
}

/** The person said no to what is proposed now. */
export function isRejected({ state, rejected }: HandlerView): boolean {
  return state === "rejected" || rejected === true;
}

/** Names as handlers have them: a local package may be typed as the folder that it is. */
export function meant(words: readonly string[], cwd: string, root: string): string[] {
  return words.map((word) => {
    if (!/^\.{1,2}(\/|$)/.test(word)) return word;
    const [folder = "", ...id] = word.split("#");
    return [`file:./${relative(root, resolve(cwd, folder))}`, ...id].join("#");
  });
}

/** Identity that an approval would name: of what is proposed, where something is. */
export function askedIdentity(view: HandlerView): Identity {
  return view.proposed?.identity ?? view.identity;
}

/** Nothing is proposed in its place: there is no identity to approve, only a removal to consent to, by name. */
export function isDropped({ change }: HandlerView): boolean {
  return change === "dropped";
}

/** What consents to a removal where nobody looks at the page. */
export function dropCommand({ name }: Pick<HandlerView, "name">): string {
  return commandText("hookpkg", "approve", "--drop", name);
}

/** Digest of the values that would be approved with it. */
export function proposedOptions({ proposed }: HandlerView): Sha256 | undefined {
  return proposed?.readable ? proposed.options.digest : undefined;
}

/** The same, where the project sets some of them. */
export function projectOptions({ proposed }: HandlerView): Sha256 | undefined {
  const isOwn = !proposed?.readable || proposed.options.digest === proposed.ownOptions.digest;
  return isOwn ? undefined : proposed.options.digest;
}

/** Handlers as they are where nothing can be run: a closed one is held, an open one lets everything pass. */
export function withoutSandbox(trust: ProjectTrust, why: string): ProjectTrust {
  const handlers = trust.view.handlers.map((view): HandlerView => {
    if (!RUNS.includes(view.state)) return view;
    const isOpen = view.approved?.normalForm.failMode === "open";
    return { ...view, why, ...(isOpen ? {} : { state: "held" }) };
  });
  return { ...trust, view: { ...trust.view, handlers } };
}

const RUNS: readonly HandlerView["state"][] = ["trusted", "modified", "managed"];

export function handlerState(view: HandlerView, identity = view.identity): HandlerState {
  const { name, state, why } = view;
  return { handler: name, identity, state, ...(why === undefined ? {} : { why }) };
}

/** Handlers that the words of a command name; all when there are none. E_HANDLER_UNKNOWN for a word that names nothing. */
export function named(views: readonly HandlerView[], words: readonly string[]): HandlerView[] {
  for (const word of words) if (!views.some((view) => isNamed(view, word))) throw unknownHandler(word, views);
  return words.length === 0 ? [...views] : views.filter((view) => words.some((word) => isNamed(view, word)));
}

function unknownHandler(word: string, views: readonly HandlerView[]) {
  const known = [...new Set(views.flatMap(({ name, source }) => [name, source]))];
  const near = nearest(word, known);
  return refuse("E_HANDLER_UNKNOWN", {
    handler: word.slice(0, 300),
    ...(near === undefined ? {} : { meant: near }),
    known: views.map(({ name }) => name).slice(0, 20),
  });
}

/** `@s/n#id`, or `@s/n` for all of a package; a handler that gets another name goes by both. */
function isNamed(view: HandlerView, word: string): boolean {
  return [view.name, view.source, view.proposed?.name].includes(word);
}
