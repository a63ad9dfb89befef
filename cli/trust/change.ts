import { type Files, readTree } from "@hookpkg/archive";
import { type Fact, isFault } from "@hookpkg/fault";
import { type Change, diffNormalForms } from "@hookpkg/identity";
import type { HandlerView, Home, Proposal } from "@hookpkg/runtime";
import { type Approval, type CommandData, isPaper } from "@hookpkg/spec";
import { type FileDiff, fileDiffs } from "./file-diff.ts";

/** What differs between what a person approved and what is proposed. Without `approved` everything is new. */
export type HandlerChange = {
  view: HandlerView;
  approved?: Approval;
  proposed?: Readable;
  fields: readonly Change[];
  options: readonly { name: string; before: Fact; after: Fact }[];
  files: readonly FileDiff[];
  /** The approved bytes cannot be read: why. The files are shown as if all were new. */
  lost?: string;
};
export type Readable = Extract<Proposal, { readable: true }>;

export async function changeIn(home: Home, view: HandlerView): Promise<HandlerChange> {
  const approved = view.approved;
  const proposed = view.proposed?.readable ? view.proposed : undefined;
  if (proposed === undefined) return { view, ...(approved ? { approved } : {}), fields: [], options: [], files: [] };
  const before: { files: Files; lost?: string } = approved ? await approvedFiles(home, approved) : { files: [] };
  return {
    view,
    ...(approved ? { approved } : {}),
    proposed,
    fields: approved ? diffNormalForms(approved.normalForm, proposed.normalForm) : [],
    options: optionChanges(approved?.options.values ?? {}, proposed.options.values),
    files: codeFirst(fileDiffs(before.files, proposed.package.files)),
    ...(before.lost === undefined ? {} : { lost: before.lost }),
  };
}

/** What runs is read first; README and licence, which are long and harmless, last. */
function codeFirst(files: readonly FileDiff[]): FileDiff[] {
  const rank = ({ path }: FileDiff) => (!isPaper(path) ? 0 : path.startsWith("test/") ? 1 : 2);
  return [...files].sort((a, b) => rank(a) - rank(b));
}

/** The same for `diff --json`. */
export function changeData({ view, approved, proposed, fields, options, files }: HandlerChange): DiffedHandler {
  return {
    handler: view.name,
    from: approved?.identity ?? null,
    to: proposed?.identity ?? view.proposed?.identity ?? view.identity,
    changes: [
      ...fields.map(({ field, before, after, widens }) => ({
        field,
        before: fact(before),
        after: fact(after),
        widens,
      })),
      ...options.map(({ name, before, after }) => ({ field: `options.${name}`, before, after, widens: false })),
    ],
    files,
  };
}
type DiffedHandler = CommandData["diff"]["handlers"][number];

/** A value of a normal form is JSON by construction. */
function fact(value: unknown): Fact {
  return JSON.parse(JSON.stringify(value ?? null)) as Fact;
}

async function approvedFiles(home: Home, { tree }: Approval): Promise<{ files: Files; lost?: string }> {
  try {
    return { files: await readTree(home.store, tree) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { files: [], lost: error.code };
  }
}

function optionChanges(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    const change = { name, before: fact(before[name]), after: fact(after[name]) };
    return Bun.deepEquals(change.before, change.after) ? [] : [change];
  });
}
