import { basename, resolve } from "node:path";
import type { PackageFile } from "@hookpkg/archive";
import { HOOKS_FILE, type Imported, isError, isPackageName, MANIFEST_FILE, type PackageName } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { carried } from "./handler.ts";
import { declaredHooks, type Lost, placeOf } from "./hooks.ts";
import { leftOver } from "./left-over.ts";
import {
  filesWith,
  hooksText,
  manifestText,
  type Named,
  named,
  plain,
  problemsOf,
  refusalOf,
  slug,
} from "./package.ts";
import { handlerLine, REPORT_FILE, reportPage, rightLines } from "./report.ts";
import type { Asked } from "./rights.ts";
import { openSource, type Source } from "./source.ts";
import { Tree } from "./tree.ts";
import { sourceNamed } from "./whose.ts";

/** `host` and `name` as the person said them; `folder` is where the package goes. */
export type Importing = { from: string; folder: string; host: string | undefined; name: PackageName | undefined };

/**
 * Somebody's hooks as a hook package: read, converted, and checked by the door of every package. Nothing of the source is executed, nothing
 * is written here. E_SOURCE_… and the faults of the files that were read.
 */
export async function importFrom(
  asked: Importing,
): Promise<{ name: PackageName; files: PackageFile[]; imported: Imported }> {
  const source = await openSource(resolve(asked.from), sourceNamed(asked.host));
  const name = asked.name ?? nameOf(source, asked.folder);
  const declared = await declaredHooks(source);
  const tree = new Tree(source);
  const lost: Lost[] = [...declared.lost];
  const taken = declared.hooks.flatMap((found) => {
    const one = carried(found, source, tree);
    if (!("why" in one)) return [one];
    lost.push({ from: placeOf(found), why: one.why });
    return [];
  });
  const handlers = named(taken).filter((handler) => {
    const why = refusalOf(handler, handler.asked, tree.files());
    if (why !== undefined) lost.push({ from: placeOf(handler.found), why });
    return why === undefined;
  });
  if (handlers.length === 0)
    throw refuse("E_SOURCE_EMPTY", { path: asked.from, lost: lost.slice(0, 20).map(lineOfLost) });
  const rights = handlers.flatMap((handler) => [...handler.asked]);
  const imported = reportOf(source, {
    handlers,
    lost,
    rights,
    notes: [...declared.notes, ...leftOver(source, tree, rights)],
  });
  const files = filesOf(source, tree, { name, handlers, rights, imported });
  const problems = problemsOf(files);
  if (problems.some(isError))
    throw refuse("E_SOURCE_FORM", { path: asked.from, problems: problems.filter(isError).map((one) => ({ ...one })) });
  return { name, files, imported: { ...imported, warnings: problems } };
}

type Made = { handlers: readonly Named[]; rights: readonly Asked[] };

function filesOf(
  source: Source,
  tree: Tree,
  { name, handlers, rights, imported }: Made & { name: PackageName; imported: Imported },
): PackageFile[] {
  const manifest = source.manifest?.value ?? {};
  const said = [manifest.description, ...source.declaring.map(({ settings }) => settings.description)].find(
    (one) => typeof one === "string" && one.trim() !== "",
  );
  const description = plain(
    String(said ?? `Hooks of ${source.host.adapter.name}, imported from ${basename(source.root)}`),
  ).slice(0, 300);
  return filesWith(tree.files(), {
    [MANIFEST_FILE]: manifestText(name, { manifest, description }, rights),
    [HOOKS_FILE]: hooksText(handlers),
    [REPORT_FILE]: reportPage(imported),
  });
}

function reportOf(
  source: Source,
  { handlers, lost, rights, notes }: Made & { lost: readonly Lost[]; notes: readonly string[] },
): Imported {
  return {
    host: source.host.adapter.name,
    from: source.root,
    carried: handlers.map(({ id, found, notes, ...handler }) => ({
      ...{ id, from: plain(placeOf(found)), to: handlerLine(handler) },
      notes: [...new Set(notes)].map(plain),
    })),
    lost: lost.map(({ from, why }) => ({ from: plain(from), why: plain(why) })),
    rights: rightLines(rights),
    notes: notes.map(plain),
    warnings: [],
  };
}

/** After the plugin; without one after the folder. E_SOURCE_FORM for a name that nobody could read. */
function nameOf({ manifest }: Source, folder: string): PackageName {
  const said = manifest?.value.name;
  if (said !== undefined && (typeof said !== "string" || said.length > 100 || said !== plain(said)))
    throw refuse("E_SOURCE_FORM", { file: manifest?.file ?? "", path: "name", expected: "--name @SCOPE/NAME" });
  const name = `@example/${slug(typeof said === "string" ? said.replace(/^@[^/]*\//, "") : basename(folder))}`;
  if (!isPackageName(name))
    throw refuse("E_USAGE", { found: basename(folder).slice(0, 200), expected: "--name @SCOPE/NAME" });
  return name;
}

function lineOfLost({ from, why }: Lost): string {
  return plain(`${from}: ${why}`).slice(0, 300);
}
