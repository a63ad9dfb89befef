import { type PackageFile, sourcesOf } from "@hookpkg/archive";
import {
  HOOKS_FILE,
  isError,
  isVersion,
  MANIFEST_FILE,
  NO_CAPABILITIES,
  type PackageName,
  type Problem,
  packageProblems,
  problemLine,
} from "@hookpkg/spec";
import { asTable, type Json } from "./declaring.ts";
import type { Carried } from "./handler.ts";
import { type Asked, capabilitiesOf } from "./rights.ts";

/** A handler with the id by which it is known from now on. */
export type Named = Carried & { id: string };

const MAX_ID = 40;
/** A manifest takes no more. */
const MAX_PROGRAMS = 32;
/** Where the source has no version that is one here. */
export const FIRST_VERSION = "0.1.0";

/** Ids by what the hooks are called or run, each once: the same source gives the same ids. */
export function named(handlers: readonly Carried[]): Named[] {
  const taken = new Set<string>();
  return handlers.map((handler) => {
    const event = slug(handler.event.replace(/([a-z])([A-Z])/g, "$1-$2"));
    const called = handler.found.entry.name;
    const first = slug(typeof called === "string" ? called : (handler.stem ?? "")) || event;
    const tries = [first, `${first.slice(0, MAX_ID - event.length - 1)}-${event}`];
    const more = taken.size + 2; // one of so many is free
    for (let n = 2; n <= more; n++) tries.push(`${first.slice(0, MAX_ID - 4)}-${n}`);
    const id = tries.map((one) => one.slice(0, MAX_ID).replace(/-+$/, "")).find((one) => !taken.has(one)) ?? event;
    taken.add(id);
    return { ...handler, id };
  });
}

export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_ID);
}

/** The text of hooks/hooks.json: neighbours of one event and matcher in one group. */
export function hooksText(handlers: readonly Named[], description?: string): string {
  const events = new Map<string, { matcher?: string; hooks: object[] }[]>();
  for (const { event, matcher, id, entry } of handlers) {
    const groups = events.get(event) ?? [];
    events.set(event, groups);
    const last = groups.at(-1);
    const hook = { id, ...entry };
    if (last !== undefined && last.matcher === matcher) last.hooks.push(hook);
    else groups.push({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] });
  }
  return json({ ...(description === undefined ? {} : { description }), hooks: Object.fromEntries(events) });
}

/** The text of hookpkg.json: what the manifest of the source says and we have a place for, and the rights. */
export function manifestText(
  name: PackageName,
  from: { manifest: Json; description: string },
  asked: readonly Asked[],
): string {
  const { manifest, description } = from;
  const text = (value: unknown, max: number) =>
    typeof value === "string" && value.trim() !== "" ? plain(value).slice(0, max) : undefined;
  const repository = asTable(manifest.repository)?.url ?? manifest.repository ?? manifest.homepage;
  const programs = [...new Set(asked.flatMap((one) => (one.kind === "program" ? [one.name] : [])))]
    .sort()
    .slice(0, MAX_PROGRAMS);
  const { capabilities } = capabilitiesOf(asked);
  const rights = Object.entries(capabilities).filter(
    ([key, value]) => !Bun.deepEquals(value, Object.entries(NO_CAPABILITIES).find(([known]) => known === key)?.[1]),
  );
  const keywords = [manifest.keywords ?? []]
    .flat()
    .flatMap((one) => text(one, 50) ?? [])
    .slice(0, 20);
  return json({
    name,
    version: versionOf(manifest.version),
    description,
    ...optional("license", text(manifest.license, 100)),
    ...optional("repository", text(repository, 300)),
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(programs.length > 0 ? { requires: { programs } } : {}),
    ...(rights.length > 0 ? { capabilities: Object.fromEntries(rights) } : {}),
  });
}

/** Signs that act on a terminal, or are not seen, stand in no text of ours. */
export function plain(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Why a handler would be refused here, tried by itself; undefined where it is not. */
export function refusalOf(handler: Named, asked: readonly Asked[], files: readonly PackageFile[]): string | undefined {
  const alone = filesWith(files, {
    [HOOKS_FILE]: hooksText([handler]),
    [MANIFEST_FILE]: manifestText("@example/tried" as PackageName, { manifest: {}, description: "tried" }, asked), // written here
  });
  const found = packageProblems(sourcesOf(alone)).find(isError);
  return found === undefined ? undefined : problemLine(found).replace(/^hooks\/hooks\.json: hooks\.\S+: /, "");
}

/** What validate says of these files. */
export function problemsOf(files: readonly PackageFile[]): readonly Problem[] {
  return packageProblems(sourcesOf(files), new Set(files.flatMap(({ path, executable }) => (executable ? path : []))));
}

export function filesWith(files: readonly PackageFile[], texts: Readonly<Record<string, string>>): PackageFile[] {
  const made = Object.entries(texts).map(([path, text]) => ({
    path,
    executable: false,
    bytes: new TextEncoder().encode(text),
  }));
  return [...made, ...files.filter(({ path }) => !Object.hasOwn(texts, path))];
}

function versionOf(found: unknown): string {
  return typeof found === "string" && isVersion(found) ? found : FIRST_VERSION;
}

function optional(key: string, value: string | undefined): object {
  return value === undefined ? {} : { [key]: value };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
