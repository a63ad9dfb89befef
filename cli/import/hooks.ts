import { posix } from "node:path";
import { type ForeignHook, foreignHooks, LEGACY_NOTIFY } from "@hookpkg/hosts";
import { foldEvent } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { asTable, type Declaring, type Json, readDeclaring } from "./declaring.ts";
import { PLUGIN_HOOKS } from "./plugin.ts";
import type { Source } from "./source.ts";

/** One hook where it stands. `notify`: the argv of a program of old, which has no event of its own; `unread`: fields that its host passes over. */
export type Found = ForeignHook & { file: string; notify?: readonly string[]; unread?: readonly string[] };
export type Lost = { from: string; why: string };

const MAX_HOOKS = 200;

/** Every hook that the host would run, each once; what is said twice or is none goes to `lost`. */
export async function declaredHooks(source: Source): Promise<{ hooks: Found[]; lost: Lost[]; notes: string[] }> {
  const notes: string[] = [];
  const declaring = await places(source, notes);
  const lost: Lost[] = [];
  const hooks = declaring.flatMap(({ file, settings }) => {
    const found = foreignHooks(settings);
    lost.push(...found.problems.map(({ text }) => ({ from: file, why: text })));
    if (settings.disableAllHooks === true || asTable(settings.hooksConfig)?.enabled === false)
      notes.push(`${file}: its hooks were switched off there`);
    return [...found.hooks.map((hook) => asRead(hook, file, source)), ...notifyOf(source, file, settings)];
  });
  if (hooks.length > MAX_HOOKS) throw refuse("E_SOURCE_LARGE", { found: hooks.length, limitHooks: MAX_HOOKS });
  return { hooks: onlyOnce(hooks, lost), lost, notes };
}

/** Without what its host drops: a condition or an `async` that it never read would be a guard's end here. A wish to be closed is kept. */
function asRead(hook: ForeignHook, file: string, { host }: Source): Found {
  const isRead = (field: string) => field === "onFailure" || !host.rules.dropped.includes(field);
  const unread = hook.fields.filter((field) => !isRead(field));
  if (unread.length === 0) return { ...hook, file };
  const entry = Object.fromEntries(Object.entries(hook.entry).filter(([field]) => isRead(field)));
  return { ...hook, file, entry, fields: hook.fields.filter(isRead), unread };
}

/** Where a hook stands, in one line. */
export function placeOf({ file, event, matcher, type, command, notify }: Found): string {
  if (notify !== undefined) return `${file}: ${LEGACY_NOTIFY.key} ${JSON.stringify(notify).slice(0, 200)}`;
  const words = command === null ? type : `${type} ${JSON.stringify(command.slice(0, 200))}`;
  return `${file}: ${event.slice(0, 100)}${matcher === null || matcher === "" ? "" : `[${matcher.slice(0, 100)}]`} ${words}`;
}

/** Hook files, and what the manifest holds or names: both, or the one that the host takes. */
async function places(source: Source, notes: string[]): Promise<Declaring[]> {
  const { host, declaring, manifest } = source;
  const inLayer = declaring.filter(({ settings }) => foreignHooks(settings).hooks.length > 0);
  if (inLayer.length > 1 && inLayer.some(({ file }) => file.endsWith(".toml")))
    notes.push(`${inLayer.map(({ file }) => file).join(" and ")} both hold hooks: both are taken, JSON first`);
  if (manifest?.value.hooks === undefined) return [...declaring];
  if (!host.manifestHooks) {
    notes.push(`${manifest.file}: ${host.adapter.name} does not read hooks there, left out`);
    return [...declaring];
  }
  const named = await namedByManifest(source, manifest.file, manifest.value.hooks);
  const others = named.filter(({ file }) => !declaring.some((one) => one.file === file));
  if (others.length < named.length)
    notes.push(`${manifest.file} names ${PLUGIN_HOOKS}, which is read anyway: taken once`);
  if (others.length === 0 || declaring.length === 0) return [...declaring, ...others];
  const taken = { both: "both are taken", file: `${PLUGIN_HOOKS} is taken`, manifest: `${manifest.file} is taken` };
  notes.push(
    `${PLUGIN_HOOKS} and ${manifest.file} both hold hooks: ${taken[host.twoPlaces]}, as ${host.adapter.name} does`,
  );
  if (host.twoPlaces === "both") return [...declaring, ...others];
  return host.twoPlaces === "file" ? [...declaring] : named;
}

/** `hooks` of a manifest: a path, hooks themselves, or a list of both. E_SOURCE_PATH where one leads out of the folder. */
async function namedByManifest({ root, host }: Source, file: string, hooks: unknown): Promise<Declaring[]> {
  const all = await Promise.all(
    [hooks].flat().map(async (one): Promise<Declaring[]> => {
      if (typeof one === "string") return readDeclaring(root, [below(one)], host);
      const table = asTable(one);
      if (table === undefined) throw refuse("E_SOURCE_FORM", { file, path: "hooks", expected: "a path or an object" });
      return [{ file, settings: asTable(table.hooks) === undefined ? { hooks: table } : table }];
    }),
  );
  return [...new Map(all.flat().map((one, n) => [one.file === file ? `${file} ${n}` : one.file, one])).values()];
}

function below(text: string): string {
  const path = posix.normalize(text.replace(/^\$\{(CLAUDE_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\}\//, ""));
  if (/^(\.\.(\/|$)|\/|~)/.test(path) || path.includes("\\"))
    throw refuse("E_SOURCE_PATH", { path: text.slice(0, 200) });
  return path;
}

function notifyOf({ host }: Source, file: string, settings: Json): Found[] {
  const argv = settings[LEGACY_NOTIFY.key];
  if (!host.notifies || !file.endsWith(".toml") || argv === undefined) return [];
  if (!Array.isArray(argv) || argv.length === 0 || !argv.every((word): word is string => typeof word === "string"))
    throw refuse("E_SOURCE_FORM", { file, path: LEGACY_NOTIFY.key, expected: "a list of words" });
  const { event } = LEGACY_NOTIFY;
  return [
    {
      file,
      event,
      matcher: null,
      type: "command",
      command: null,
      timeout: null,
      fields: [],
      entry: {},
      group: {},
      notify: argv,
    },
  ];
}

/** The same for the same tools would run twice here, and once at most hosts. What differs in anything that counts is another one. */
function onlyOnce(hooks: readonly Found[], lost: Lost[]): Found[] {
  const seen = new Map<string, Found>();
  for (const hook of hooks) {
    const { statusMessage: _, status_message: __, description: ___, ...entry } = hook.entry;
    const key = JSON.stringify([foldEvent(hook.event) ?? hook.event, hook.matcher || null, entry, hook.notify]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, hook);
    else
      lost.push({
        from: placeOf(hook),
        why: `it stands there twice${first.file === hook.file ? "" : `, in ${first.file} too`}: once is taken`,
      });
  }
  return [...seen.values()];
}
