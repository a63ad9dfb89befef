import { type HandlerView, sandboxOf } from "@hookpkg/runtime";
import { type CommandData, EXIT, type InstalledPackage } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { askingHosts, attachedHosts, neverAsked, reachLines, reachOfView } from "../host/reach.ts";
import { readProjectFiles } from "../project/files.ts";
import { problemTexts } from "./broken.ts";
import { loudLines } from "./loud.ts";
import { anyWaits, orderLines, orderWaits } from "./order-page.ts";
import { pageLines } from "./page.ts";
import { askedIdentity, handlerState, openTrust, type ProjectTrust, withoutSandbox } from "./project-trust.ts";
import { mayList } from "./words.ts";

/** The packages of the project with their handlers, and whether these run. */
export async function run(call: Call): Promise<Done<CommandData["list"]>> {
  const found = await openTrust(call);
  const sandbox = await sandboxOf(found.home, process.execPath);
  const trust = sandbox.available ? found : withoutSandbox(found, sandbox.fault.code);
  const hosts = await attachedHosts(call, found.home, found.place.root);
  const reach = (name: string) => viewsOf(trust, name).map((view) => ({ view, reach: reachOfView(hosts, view) }));
  const packages = packagesOf(trust).map((one) => ({
    ...one,
    handlers: reach(one.name).map((each) => ({ ...handlerState(each.view), reach: each.reach })),
  }));
  const isNever = packages.some(({ handlers }) => handlers.some((one) => neverAsked(one.reach)));
  const identities = call.flags.on("identity");
  const lines = packages.flatMap((one) => [
    ...pageLines(packageLine(one)),
    ...reach(one.name).flatMap((each) => [...handlerLines(each.view, { identities }), ...reachLines(each.reach)]),
  ]);
  const waits = anyWaits(trust.view);
  const { attached, lines: nobody } = askingHosts(hosts);
  return {
    data: { packages, attached },
    lines: [
      ...(lines.length > 0 ? [...lines, ...nobody] : ["no packages here: hookpkg install @SCOPE/NAME"]),
      ...loudLines(trust.view),
      ...problemTexts(trust.view.problems).flatMap((text) => pageLines(`problem: ${text}`)),
      ...orderLines(orderWaits(trust.view.order)),
    ],
    ...(waits ? { exit: EXIT.waits } : isNever ? { exit: EXIT.failed } : {}),
  };
}

/** Packages of the lock in its order, then those that run on though the lock names them no more. */
export function packagesOf({ place, view }: ProjectTrust): InstalledPackage[] {
  const { packages } = readProjectFiles(place.root).lock;
  const gone = view.handlers.map((one) => one.source).filter((source) => !(source in packages));
  return [...new Set([...Object.keys(packages), ...gone])].map((name) => ({
    name,
    version: packages[name]?.version ?? "",
    source: packages[name]?.registry ?? layerFolder(name) ?? "not in the lock",
    handlers: view.handlers.filter((one) => one.source === name).map((one) => handlerState(one)),
  }));
}

/** Layers are in no lock: they are what stands in their folder. */
function layerFolder(source: string): string | undefined {
  return Object.hasOwn(LAYER_FOLDERS, source) ? LAYER_FOLDERS[source] : undefined;
}

const LAYER_FOLDERS: Readonly<Record<string, string>> = {
  "layer:managed": "this machine's own",
  "layer:user": "your own, for all of your projects",
  "layer:project": ".hookpkg/hooks",
  "layer:local": ".hookpkg/hooks.local",
};

export function packageLine({ name, version, source }: InstalledPackage): string {
  return version === "" ? `${name}  ${source}` : `${name} ${version}  ${name === source ? "local, unsigned" : source}`;
}

function viewsOf({ view }: ProjectTrust, name: string): HandlerView[] {
  return view.handlers.filter((one) => one.source === name);
}

/** Name, state, what it may do; why it does not run as it should. Below its package a handler goes by its id alone. */
export function handlerLines(view: HandlerView, { identities = false, full = false } = {}): string[] {
  const name = full ? view.name : `#${view.name.split("#").at(-1)}`;
  const form = view.approved?.normalForm ?? (view.proposed?.readable ? view.proposed.normalForm : undefined);
  const may = form ? `, ${mayList(form)} on ${form.event}` : "";
  const why = view.why === undefined ? "" : ` [${view.why}]`;
  return [
    ...pageLines(`${name}  ${stateWords(view)}${may}${why}`, "  "),
    ...(identities ? pageLines(view.identity, "      ") : []),
    ...(identities && askedIdentity(view) !== view.identity
      ? pageLines(`proposed: ${askedIdentity(view)}`, "      ")
      : []),
  ];
}

function stateWords(view: HandlerView): string {
  const { state, change } = view;
  if (state === "untrusted") return "untrusted: waits for approval, does not run";
  if (state === "modified") return `modified (${change ?? "changed"}): the approved one runs, the change waits`;
  if (state === "held") return "held: what it guards is cancelled";
  if (view.rejected) return "trusted; you rejected the proposed change";
  if (state === "rejected") return "rejected: does not run, you are not asked again";
  return state;
}
