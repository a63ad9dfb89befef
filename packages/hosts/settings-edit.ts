import type { Node, ParseError } from "jsonc-parser";
import { refuse } from "./faults.ts";
import { asRecord } from "./host-input.ts";
import type { Group } from "./settings.ts";
import { withChild, withoutChild, withValue } from "./settings-splice.ts";

/** Entries by the host's names of their events. */
export type Groups = Readonly<Record<string, Group>>;

type Json = Readonly<Record<string, unknown>>;
type Editing = { comments: boolean };

/** Characters of a settings file; those of hosts have a few thousand. */
const MAX_SETTINGS_CHARS = 4 * 1024 * 1024;

/**
 * The settings with our entries in them, each as the last of its event. One that stands there already stays where it is, and one of
 * `before` (as an earlier attach wrote it) is replaced in its place. Every other byte stays. E_SETTINGS_….
 */
export async function withGroups(text: string, wanted: Groups, before: Groups, editing: Editing): Promise<string> {
  const { findNodeAtLocation } = await import("jsonc-parser"); // lazy: `run` needs none of this
  let now = text;
  for (const [event, group] of Object.entries(wanted)) {
    const { tree, settings } = await parsed(now, editing);
    const groups = groupsOf(settings, event);
    if (groups.some((one) => isSame(one, group))) continue;
    const old = before[event];
    const at = old === undefined ? -1 : groups.findLastIndex((one) => isSame(one, old));
    const replaced = at < 0 ? undefined : findNodeAtLocation(tree, ["hooks", event, at]);
    const list = findNodeAtLocation(tree, ["hooks", event]);
    const hooks = findNodeAtLocation(tree, ["hooks"]);
    if (replaced) now = withValue(now, replaced, group);
    else if (list) now = withChild(now, list, group);
    else if (hooks) now = withChild(now, hooks, [group], event);
    else now = withChild(now, tree, { [event]: [group] }, "hooks");
  }
  await expectOthersKept({ text, now, ours: [before, wanted] }, editing);
  return now;
}

/** The settings without exactly these entries, and without lists and an object of hooks that are then empty. */
export async function withoutGroups(text: string, ours: Groups, editing: Editing): Promise<string> {
  const jsonc = await import("jsonc-parser");
  let now = text;
  for (const [event, group] of Object.entries(ours)) {
    const { tree, settings } = await parsed(now, editing);
    const groups = groupsOf(settings, event);
    const at = groups.findLastIndex((one) => isSame(one, group));
    if (at >= 0) now = without(jsonc, now, tree, groups.length === 1 ? ["hooks", event] : ["hooks", event, at]);
  }
  const { tree, settings } = await parsed(now, editing);
  const hooks = asRecord(settings.hooks);
  if (hooks && Object.keys(hooks).length === 0 && now !== text) now = without(jsonc, now, tree, ["hooks"]);
  await expectOthersKept({ text, now, ours: [ours] }, editing);
  return now;
}

function without(jsonc: typeof import("jsonc-parser"), text: string, tree: Node, path: (string | number)[]): string {
  const found = jsonc.findNodeAtLocation(tree, path);
  const child = found?.parent?.type === "property" ? found.parent : found;
  return child?.parent ? withoutChild(jsonc, text, child.parent, child) : text;
}

/** A file of nothing but our entries. */
export function newSettings(wanted: Groups, head: Json = {}): string {
  const hooks = Object.fromEntries(Object.entries(wanted).map(([event, group]) => [event, [group]]));
  return `${JSON.stringify({ ...head, hooks }, null, 2)}\n`;
}

/** The settings as the host would read them. E_SETTINGS_PARSE, E_SETTINGS_FORM; nothing is guessed. */
export async function readSettings(text: string, editing: Editing): Promise<Json> {
  return (await parsed(text, editing)).settings;
}

async function parsed(text: string, { comments }: Editing): Promise<{ tree: Node; settings: Json }> {
  const { parseTree, getNodeValue, printParseErrorCode } = await import("jsonc-parser");
  if (text.length > MAX_SETTINGS_CHARS) throw refuse("E_SETTINGS_FORM", { found: "more than 4 MiB" });
  const errors: ParseError[] = [];
  const tree = parseTree(withoutMark(text), errors, { disallowComments: !comments, allowTrailingComma: false });
  const [error] = errors;
  if (error || !tree) {
    const line = text.slice(0, error?.offset ?? 0).split("\n").length;
    throw refuse("E_SETTINGS_PARSE", { line, found: error ? printParseErrorCode(error.error) : "nothing" });
  }
  const twice = duplicateIn(tree);
  if (twice !== undefined) throw refuse("E_SETTINGS_FORM", { path: twice, found: "the key stands there twice" });
  return { tree, settings: formed(getNodeValue(tree)) };
}

function formed(value: unknown): Json {
  const settings = asRecord(value);
  if (!settings) throw refuse("E_SETTINGS_FORM", { path: "", found: "no object" });
  const hooks = settings.hooks;
  if (hooks !== undefined && !asRecord(hooks)) throw refuse("E_SETTINGS_FORM", { path: "hooks", found: "no object" });
  for (const [event, groups] of Object.entries(asRecord(hooks) ?? {}))
    if (!Array.isArray(groups))
      throw refuse("E_SETTINGS_FORM", { path: `hooks.${event.slice(0, 60)}`, found: "no list" });
  return settings;
}

/** Which of two equal keys a host takes is its own affair: in what we edit there may be none. */
function duplicateIn(tree: Node): string | undefined {
  const hooks = tree.children?.find(({ children }) => children?.[0]?.value === "hooks")?.children?.[1];
  for (const [path, node] of [
    ["", tree],
    ["hooks.", hooks],
  ] as const) {
    if (node?.type !== "object") continue;
    const keys = node.children?.map(({ children }) => String(children?.[0]?.value)) ?? [];
    const twice = keys.find((key, at) => keys.indexOf(key) !== at && (path !== "" || key === "hooks"));
    if (twice !== undefined) return `${path}${twice.slice(0, 60)}`;
  }
  return undefined;
}

/** The library is trusted with text, not with what is in it: what is not ours must be the same afterwards. */
async function expectOthersKept(
  { text, now, ours }: { text: string; now: string; ours: readonly Groups[] },
  editing: Editing,
): Promise<void> {
  const [then, after] = await Promise.all([readSettings(text, editing), readSettings(now, editing)]);
  if (Bun.deepEquals(others(then, ours), others(after, ours))) return;
  throw refuse("E_SETTINGS_EDIT", {});
}

function others({ hooks, ...rest }: Json, ours: readonly Groups[]): unknown {
  const kept = Object.entries(asRecord(hooks) ?? {}).flatMap(([event, groups]) => {
    const theirs = (Array.isArray(groups) ? groups : []).filter(
      (one) => !ours.some((groups) => Object.values(groups).some((our) => isSame(one, our))),
    );
    return theirs.length === 0 ? [] : [[event, theirs] as const];
  });
  return [rest, kept];
}

/** The groups of one event, of settings that were read. */
export function groupsOf(settings: Json, event: string): readonly unknown[] {
  const groups = asRecord(settings.hooks)?.[event];
  return Array.isArray(groups) ? groups : [];
}

export function isSame(one: unknown, group: Group): boolean {
  return Bun.deepEquals(one, group, true);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, " "); // as long, so that offsets stay
}
