import {
  disable,
  type HandlerView,
  type Home,
  homeFolders,
  type Note,
  type Place,
  REAL_OUTSIDE,
  safeMode,
  trustView,
  USER,
} from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { askConfirm } from "../prompt.ts";
import { approverKey } from "../trust/approver-key.ts";
import { unreadableApprovals } from "../trust/broken.ts";
import { refuseInside } from "../trust/inside-host.ts";
import { adviceLines, counted, pageLines } from "../trust/page.ts";
import { lookAt, named, OWN_LAYER, openTrust, type ProjectTrust } from "../trust/project-trust.ts";
import { attachedHosts, neverAsked, reachLines, reachOfView } from "./reach.ts";

/** Handlers that a person names are off until they undo it: outside every host, by their own yes or a key. */
export async function runDisable(call: Call): Promise<Done<CommandData["disable"]>> {
  const undo = call.flags.on("undo");
  if (call.args.length === 0) throw refuse("E_USAGE", { expected: "hookpkg disable @SCOPE/NAME#ID" });
  const trust = await opened(call);
  const all = await chosenIn(trust, call.args);
  const chosen = all
    .map(({ place, views }) => ({ place, views: views.filter((view) => isOff(view) === undo) }))
    .filter(({ views }) => views.length > 0);
  const names = namesOf(chosen);
  const already = namesOf(all).filter((name) => !names.includes(name));
  const untouched = already.flatMap((name) => pageLines(`${name} was ${undo ? "on" : "off"} already`));
  if (names.length === 0) return { data: { disabled: [], enabled: [] }, lines: untouched };
  await confirm(
    call,
    undo ? `${names.join(", ")} will run again. Switch on?` : `${names.join(", ")} will guard nothing. Switch off?`,
  );
  const signing = await signer(call, trust.home, trust.place.id);
  for (const { place, views } of chosen)
    await disable(
      trust.home,
      place,
      views.map(({ name }) => name),
      { ...signing, undo },
    );
  const off = names.flatMap((name) =>
    adviceLines(`${name} is OFF, from the next event on`, commandText("hookpkg", "disable", "--undo", name)),
  );
  const done = undo
    ? await onAgain(
        call,
        trust,
        chosen.flatMap(({ views }) => views),
      )
    : { data: { disabled: names, enabled: [] }, lines: off };
  return { ...done, lines: [...done.lines, ...untouched] };
}

/** By the person's own switch; safe mode is another. */
function isOff({ approved }: HandlerView): boolean {
  return approved?.decided === "disabled";
}

function namesOf(chosen: readonly Chosen[]): HandlerView["name"][] {
  return chosen.flatMap(({ views }) => views.map(({ name }) => name));
}

/** What no attached host would ever ask is no guard because it is on. */
async function onAgain(
  call: Call,
  { home, place }: ProjectTrust,
  views: readonly HandlerView[],
): Promise<Done<CommandData["disable"]>> {
  const hosts = await attachedHosts(call, home, place.root);
  const [here, own] = [await lookAt(home, place.root), await trustView(home, USER, REAL_OUTSIDE)];
  const standing = [...here.view.handlers, ...own.handlers];
  const now = (view: HandlerView) => standing.find(({ name }) => name === view.name) ?? view;
  const reach = views.map((view) => ({ name: view.name, reach: reachOfView(hosts, now(view)) }));
  return {
    data: { disabled: [], enabled: views.map(({ name }) => name) },
    lines: reach.flatMap((one) => [...pageLines(`${one.name} is on again`), ...reachLines(one.reach)]),
    ...(reach.some((one) => neverAsked(one.reach)) ? { exit: EXIT.failed } : {}),
  };
}

/** Everything of the project that the machine's policy does not name is off until it is undone. */
export async function runSafeMode(call: Call): Promise<Done<CommandData["safe-mode"]>> {
  const undo = call.flags.on("undo");
  const trust = await opened(call);
  const { home, place, view } = trust;
  const isOn = view.safeMode !== undefined;
  // Approvals that can't be read may say either: then nothing is so already, and signing is refused with the reason.
  if (undo !== isOn && (await unreadableApprovals(home)).length === 0) {
    const said = undo ? "safe mode was not on here" : `SAFE MODE is on already, since ${view.safeMode?.at}`;
    return { data: { project: place.root, on: isOn, handlers: [] }, lines: pageLines(said) };
  }
  const text = undo
    ? "All that you approved in this project will run again. End safe mode?"
    : "Nothing that you approved will guard this project, until you undo it. Switch all of it off?";
  await confirm(call, text);
  await safeMode(home, place, { ...(await signer(call, home, place.id)), undo });
  const names = view.handlers.filter((one) => one.approved && one.state !== "managed").map(({ name }) => name);
  const said = undo
    ? "safe mode is over: everything is as it was"
    : `SAFE MODE: ${counted(names.length, "handler")} off in ${place.root}, from the next event on: hookpkg safe-mode --undo`;
  return { data: { project: place.root, on: !undo, handlers: names }, lines: pageLines(said) };
}

/** Refused inside a host before anything is looked at: the way out is the person's, never an agent's. */
async function opened(call: Call): Promise<ProjectTrust> {
  if (call.flags.on("yes")) throw refuse("E_USAGE", { found: "--yes", expected: "a yes of your own, or --key FILE" });
  refuseInside(call, homeFolders(call.home));
  return openTrust(call);
}

type Chosen = { place: Place; views: HandlerView[] };

/** Of the project first, else of what the person has for all of their projects. E_DISABLE_MANAGED, E_HANDLER_UNKNOWN. */
async function chosenIn({ home, place, view }: ProjectTrust, words: readonly string[]): Promise<Chosen[]> {
  const own = await trustView(home, USER, REAL_OUTSIDE);
  const all = [...view.handlers, ...own.handlers];
  const managed = named(all, words).find(({ state }) => state === "managed");
  if (managed) throw refuse("E_DISABLE_MANAGED", { handler: managed.name });
  const here = view.handlers.filter((one) => isApproved(one) && one.source !== OWN_LAYER);
  const everywhere = own.handlers.filter((one) => isApproved(one) && !here.some(({ name }) => name === one.name));
  const meant = named([...here, ...everywhere], words);
  const chosen: Chosen[] = [
    { place, views: meant.filter((one) => here.includes(one)) },
    { place: USER, views: meant.filter((one) => everywhere.includes(one)) },
  ];
  return chosen.filter(({ views }) => views.length > 0);
}

function isApproved({ approved }: HandlerView): boolean {
  return approved !== undefined;
}

async function confirm(call: Call, text: string): Promise<void> {
  if (call.flags.text("key") !== undefined) return;
  if (!(await askConfirm(call.terminal, { text, flag: "--key FILE" }))) throw refuse("E_DECLINED");
}

async function signer(
  call: Call,
  home: Home,
  project: string,
): Promise<{ signer: PrivateKey; note: Note; outside: typeof REAL_OUTSIDE }> {
  const key = await approverKey(call, home, project);
  const how = call.flags.text("key") === undefined ? "terminal" : "identity";
  return { signer: key, note: { how, by: key.id, at: REAL_OUTSIDE.now().toISOString() }, outside: REAL_OUTSIDE };
}
