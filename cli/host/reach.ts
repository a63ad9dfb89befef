import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import {
  type Asking,
  commandsIn,
  eventsAt,
  groupsOf,
  HOOK_RULES,
  HOST_SETTINGS,
  type HostSettings,
  hostNamed,
  reachOf,
  readSettings,
} from "@hookpkg/hosts";
import type { HandlerView, Home } from "@hookpkg/runtime";
import type { HandlerReach } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { faultText } from "../failure.ts";
import { adviceLines, pageLines } from "../trust/page.ts";
import { openTrust } from "../trust/project-trust.ts";
import { attachments, type Recorded } from "./attached-record.ts";
import { codexNotes } from "./host-notes.ts";
import { realPath } from "./host-place.ts";
import { installedVersion } from "./host-version.ts";
import { ofSettings, openSettings } from "./settings-file.ts";

/** An attached host as it stands now. `off`: why none of its events would come. */
export type AttachedHost = { host: string; asking: Asking; off?: string };

type Looking = Pick<Call, "cwd" | "env">;

/** Every host that is attached for this project, its settings read again as the host reads them. */
export async function attachedHosts(call: Looking, home: Home, root: string | undefined): Promise<AttachedHost[]> {
  const hosts = await Promise.all(recordsFor(home, root).map((record) => hostOf(call, home, record, root)));
  return hosts.flat();
}

function recordsFor(home: Home, root: string | undefined): readonly Recorded[] {
  const isHere = ({ scope, files }: Recorded) =>
    scope === "personal" || (root !== undefined && files.some(({ file }) => file.startsWith(`${realPath(root)}/`)));
  return attachments(home).filter(isHere);
}

async function hostOf(call: Looking, home: Home, record: Recorded, root: string | undefined): Promise<AttachedHost[]> {
  const settings = HOST_SETTINGS.find(({ host }) => host === record.host);
  const adapter = hostNamed(record.host);
  if (settings === undefined || adapter === undefined) return [];
  const rules = HOOK_RULES.find(({ host }) => host === record.host);
  const found = await standing(call, home, { record, settings, root });
  const version = installedVersion(settings, call.env.PATH) ?? record.version;
  const events = eventsAt(settings.host, version, found.events);
  return [{ host: record.host, asking: { adapter, ...(rules ? { rules } : {}), events }, ...offOf(found) }];
}

function offOf({ off }: Standing) {
  return off === undefined ? {} : { off };
}

type Standing = { events: readonly string[]; off?: string };
type Standpoint = { record: Recorded; settings: HostSettings; root: string | undefined };

async function standing(call: Looking, home: Home, { record, settings, root }: Standpoint): Promise<Standing> {
  const gone = { events: [], off: `hookpkg's entries are gone from it: hookpkg attach ${record.host}` };
  try {
    if (settings.personal.kind === "shims") {
      const there = record.files.every(({ file }) => openSettings(file).now !== undefined);
      return there ? { events: settings.entries.map(({ event }) => event) } : gone;
    }
    const one = record.files.at(-1);
    const now = one && (await settingsIn(one.file, settings));
    if (!one?.groups || now === undefined) return gone;
    const groups = Object.entries(one.groups);
    const events = groups.flatMap(([event, group]) =>
      groupsOf(now, event).some((other) => Bun.deepEquals(other, group)) ? [event] : [],
    );
    if (events.length === 0) return gone;
    const own = settings.personal.kind === "file" ? settings.fault?.(now) : undefined;
    const switched = own ?? (await switchedOff(settings, { base: home.base, root }))?.text;
    const commands = groups.flatMap(([, group]) => commandsIn(group));
    const off = switched ?? (await distrust(call, home, settings, commands));
    return { events, ...(off === undefined ? {} : { off }) };
  } catch (error) {
    if (isFault(error)) return { events: [], off: faultText(error) };
    throw error;
  }
}

async function settingsIn(file: string, settings: HostSettings) {
  const text = openSettings(file).now?.text;
  return text === undefined ? undefined : ofSettings(file, readSettings(text, settings));
}

/** What switches every hook off: in the person's own settings, the machine's and the project's. */
export async function switchedOff(
  settings: HostSettings,
  { base, root }: { base: string; root: string | undefined },
): Promise<{ file: string; text: string } | undefined> {
  for (const { scope, path, form } of settings.reads) {
    const folder = scope === "machine" ? "/" : scope === "personal" ? base : root;
    if (form !== "json" || folder === undefined) continue;
    const file = join(folder, path);
    const other = await quietly(file, settings);
    const fault = other && settings.fault?.(other);
    if (fault !== undefined && /no hook runs/.test(fault)) return { file, text: `${file}: ${fault}` };
  }
  return undefined;
}

async function quietly(file: string, settings: HostSettings) {
  try {
    return await settingsIn(file, settings);
  } catch (error) {
    if (isFault(error)) return undefined; // another's file: `hookpkg hooks` names what is wrong with it
    throw error;
  }
}

async function distrust({ cwd, env }: Looking, home: Home, { host }: HostSettings, commands: readonly string[]) {
  if (host !== "codex") return undefined;
  const [first] = await codexNotes({ commands, base: home.base, cwd, env });
  return first?.startsWith("NOT ACTIVE") ? first : undefined;
}

/** What each attached host makes of a handler: of the approved one, else of what is proposed. */
export function reachOfView(hosts: readonly AttachedHost[], view: HandlerView): HandlerReach[] {
  const form = view.approved?.normalForm ?? (view.proposed?.readable ? view.proposed.normalForm : undefined);
  if (form === undefined) return [];
  const once = ONCE[view.state];
  return hosts.map(({ host, asking, off }) => ({
    ...(off === undefined ? { host, ...reachOf(asking, form) } : { host, reach: "never" as const, lost: [off] }),
    ...(once === undefined ? {} : { once }),
  }));
}

/** What must come first where a handler runs on no host, whatever these would make of it. */
const ONCE: Readonly<Partial<Record<HandlerView["state"], "approved" | "on again">>> = {
  untrusted: "approved",
  rejected: "approved",
  disabled: "on again",
};

/** In words: what is not yet so is not said to be. */
export function reachWords({ reach, once }: Pick<HandlerReach, "reach" | "once">): string {
  if (reach === "never") return "NEVER";
  const words = reach === "runs" ? "runs" : "in part";
  return once === undefined ? words : `would run${reach === "runs" ? "" : " in part"}, once ${once}`;
}

/** What each attached host makes of the handlers of the project that the call is in; nothing outside of one. */
export async function handlersByHost(call: Call): Promise<Map<string, HostHandlers>> {
  const found = new Map<string, HostHandlers>();
  try {
    const { home, place, view } = await openTrust(call);
    const hosts = await attachedHosts(call, home, place.root);
    for (const one of view.handlers)
      for (const { host, ...rest } of reachOfView(hosts, one))
        found.set(host, [...(found.get(host) ?? []), { handler: one.name, ...rest }]);
  } catch (error) {
    if (!isFault(error)) throw error; // no project here
  }
  return found;
}

type HostHandlers = readonly (Omit<HandlerReach, "host"> & { handler: string })[];

/** Nothing that is attached would ever ask it: to call that a success would be a lie. */
export function neverAsked(reach: readonly HandlerReach[]): boolean {
  return reach.length > 0 && reach.every((one) => one.reach === "never");
}

/** Hosts by name, and where there are none a line that says what follows: no handler runs, whatever its state. */
export function askingHosts(hosts: readonly AttachedHost[]): { attached: string[]; lines: string[] } {
  const attached = [...new Set(hosts.map(({ host }) => host))];
  const nobody = "no agent is attached, so nothing asks any of these yet";
  return { attached, lines: attached.length > 0 ? [] : adviceLines(nobody, commandText("hookpkg", "attach")) };
}

export function reachLines(reach: readonly HandlerReach[]): string[] {
  const [whole, others] = [reach.filter((one) => one.reach === "runs"), reach.filter((one) => one.reach !== "runs")];
  const [first] = whole;
  return [
    ...(first === undefined ? [] : pageLines(onHosts(first, whole.map(({ host }) => host).join(", ")), "      ")),
    ...others.flatMap((one) => pageLines(`${onHosts(one, one.host)}: ${one.lost.join("; ")}`, "      ")),
  ];
}

function onHosts(reach: HandlerReach, hosts: string): string {
  const [how, ...once] = reachWords(reach).split(", ");
  return [`${how} on ${hosts}`, ...once].join(", ");
}
