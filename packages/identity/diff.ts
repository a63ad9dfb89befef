import { type Capabilities, canonicalText, type Matcher, type NormalForm } from "@hookpkg/spec";

/** One field that differs. `widens`: the handler may do more, reacts to more, or no longer refuses when it fails. */
export type Change = { field: ChangedField; before: unknown; after: unknown; widens: boolean };

export type ChangedField = Exclude<keyof NormalForm, "v" | "capabilities"> | `capabilities.${keyof Capabilities}`;

/** How each field widens. A type, so that a new field of the normal form can't be forgotten here. */
const WIDENS: {
  [F in Exclude<keyof NormalForm, "v" | "capabilities">]: (a: NormalForm[F], b: NormalForm[F]) => boolean;
} = {
  event: () => true,
  matcher: (a, b) => !matcherCovers(a, b),
  if: (a, b) => a.length > 0 && (b.length === 0 || !includesAll(a, b)),
  run: () => false,
  may: (a, b) => !includesAll(a, b),
  timeoutMs: (a, b) => b > a,
  failMode: (_, b) => b === "open",
  once: (_, b) => !b,
  async: (_, b) => !b,
  answers: (_, b) => b === "lenient",
  outputLimit: (a, b) => b > a,
  before: () => false,
  after: () => false,
  requires: (a, b) => !includesAll(a, b),
  closure: () => false,
};

const RIGHT_COVERS: { [R in keyof Capabilities]: (a: Capabilities[R], b: Capabilities[R]) => boolean } = {
  project: (a, b) => a === "read" || b === "none",
  read: foldersCover,
  write: foldersCover,
  net: includesAll,
  env: includesAll,
  model: (a, b) => a || !b,
  limits: (a, b) => b.memoryMiB <= a.memoryMiB && b.dataMiB <= a.dataMiB,
};

/** What differs between the approved and the proposed handler, in the normal form's order; empty when they are the same. */
export function diffNormalForms(approved: NormalForm, proposed: NormalForm): Change[] {
  const changes: Change[] = [];
  for (const field of keysOf(WIDENS)) pushChange(changes, field, approved, proposed);
  for (const right of keysOf(RIGHT_COVERS)) pushRight(changes, right, approved.capabilities, proposed.capabilities);
  return changes;
}

/** Whether everything that `b` allows is allowed by `a` too. Careful where it can't tell: then it isn't covered. */
export function covers(a: Capabilities, b: Capabilities): boolean {
  const changes: Change[] = [];
  for (const right of keysOf(RIGHT_COVERS)) pushRight(changes, right, a, b);
  return !changes.some((change) => change.widens);
}

function pushChange<F extends keyof typeof WIDENS>(changes: Change[], field: F, a: NormalForm, b: NormalForm): void {
  if (canonicalText(a[field]) === canonicalText(b[field])) return;
  changes.push({ field, before: a[field], after: b[field], widens: WIDENS[field](a[field], b[field]) });
}

function pushRight<R extends keyof Capabilities>(changes: Change[], right: R, a: Capabilities, b: Capabilities): void {
  if (canonicalText(a[right]) === canonicalText(b[right])) return;
  const widens = !RIGHT_COVERS[right](a[right], b[right]);
  changes.push({ field: `capabilities.${right}`, before: a[right], after: b[right], widens });
}

function matcherCovers(a: Matcher, b: Matcher): boolean {
  if (a === null) return true;
  if (b === null || !("names" in a && "names" in b)) return canonicalText(a) === canonicalText(b);
  return includesAll(a.names, b.names);
}

function includesAll(a: readonly unknown[], b: readonly unknown[]): boolean {
  const held = new Set(a.map(canonicalText));
  return b.every((entry) => held.has(canonicalText(entry)));
}

/** A folder covers what is below it; `$file` covers only itself. */
function foldersCover(a: readonly string[], b: readonly string[]): boolean {
  return b.every((path) =>
    a.some((folder) => path === folder || (folder !== "$file" && path.startsWith(`${folder}/`))),
  );
}

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[]; // the tables above are literals
}
