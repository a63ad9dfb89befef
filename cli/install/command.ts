import { realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type Home,
  homeFolders,
  makeFolder,
  projectAt,
  REAL_OUTSIDE,
  refuseUnordered,
  registerProject,
  withLock,
} from "@hookpkg/runtime";
import {
  type CommandData,
  hexOf,
  inRange,
  isPackageName,
  type Lock,
  PROJECT_FILE,
  type Scope,
  sha256,
} from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { askingHosts, attachedHosts } from "../host/reach.ts";
import {
  hasProjectFolder,
  type ProjectFiles,
  projectRootOrHere,
  readProjectFiles,
  writeProjectFiles,
} from "../project/files.ts";
import { bindRegistry, readScopes, registryAddress, updateScopes } from "../registry/binding.ts";
import { seeCheckpoint } from "../registry/checkpoint.ts";
import { installedPackages } from "../trust/installed.ts";
import { pageLines } from "../trust/page.ts";
import { UNREGISTERED } from "../trust/project-trust.ts";
import { rememberProvenance } from "../trust/provenance.ts";
import { type Installed, type InstallWorld, install } from "./install.ts";
import { isSame, proposedLock } from "./place.ts";
import { parseWish, type Wish } from "./wish.ts";

/** Fetches, verifies, places, proposes in the lock; at a terminal it ends in the approval view. */
export async function run(call: Call): Promise<Done<CommandData["install"]>> {
  const home = homeFolders(call.home);
  const root = projectRootOrHere(call);
  if (wishesOf(call, root, readProjectFiles(root)).length === 0) return nothingTo(call, root);
  const changed = await withLock(home, installLock(home, root), async () => {
    const files = readProjectFiles(root);
    const wishes = wishesOf(call, root, files);
    makeFolder(home, home.store);
    const installed = await install(wishes, worldOf(call, home, files));
    const lock = proposedLock(files.lock, installed.placed);
    const project = withWishes(files, wishes, { lock, scopes: installed.scopes });
    if (call.flags.on("frozen")) refuseThawed(files.lock, installed);
    else await refuseUnorderedLock(home, root, files, { lock, project });
    await registerProject(home, root);
    await rememberScopes(home, installed);
    rememberSigners(home, installed);
    if (!call.flags.on("frozen")) writeProjectFiles(root, { lock, project });
    return installed.placed.map(({ key }) => key);
  });
  return installedPackages(call, home, root, changed);
}

/** Nothing was named and the project file wishes for nothing: nothing is made or registered, and what is here is said as it is. */
async function nothingTo(call: Call, root: string): Promise<Done<CommandData["install"]>> {
  const text = `nothing to install: none was named, and ${join(root, PROJECT_FILE)} wishes for none`;
  const said = pageLines(text);
  const home = homeFolders(call.home);
  if (!hasProjectFolder(root)) {
    const { attached } = askingHosts(await attachedHosts(call, home, root));
    return { data: { packages: [], attached }, lines: said };
  }
  const done = await installedPackages(call, home, root, []);
  return { ...done, lines: [...said, ...done.lines] };
}

/** A chain that could not be ordered would be off as a whole: what would make one is not written. */
export async function refuseUnorderedLock(
  home: Home,
  root: string,
  today: ProjectFiles,
  tomorrow: ProjectFiles,
): Promise<void> {
  const place = projectAt(home, root) ?? { id: UNREGISTERED, root: realpathSync(root) };
  const wishes = ({ lock, project }: ProjectFiles) => ({ lock, file: project });
  await refuseUnordered(home, place, { today: wishes(today), tomorrow: wishes(tomorrow) }, REAL_OUTSIDE);
}

/** One install at a time in a project. The lock is the person's, where no checkout can hold it. */
export function installLock(home: Home, root: string): string {
  return join(home.state, "installing", `${hexOf(sha256(root))}.lock`);
}

/** What was named; with nothing named all of the project file, at its locked version where that is still in range. */
function wishesOf(call: Call, root: string, { project, lock }: ProjectFiles): Wish[] {
  const frozen = call.flags.on("frozen");
  if (frozen && call.args.length > 0)
    throw refuse("E_USAGE", { found: call.args[0] ?? "", expected: "no package with --frozen" });
  if (call.args.length > 0) return call.args.map((text) => parseWish(text, call.cwd, root));
  if (frozen) refuseUnlocked(project.packages, lock);
  return Object.entries(project.packages).map(([key, range]) => {
    const version = lock.packages[key]?.version;
    const keeps = version !== undefined && inRange(version, range);
    return parseWish(isPackageName(key) ? `${key}@${keeps ? version : range}` : key, root, root);
  });
}

function refuseUnlocked(wished: Readonly<Record<string, string>>, lock: Lock): void {
  for (const [key, range] of Object.entries(wished)) {
    const version = lock.packages[key]?.version;
    if (version === undefined) throw refuse("E_FROZEN", { package: key, expected: range, found: "not in the lock" });
    if (isPackageName(key) && !inRange(version, range))
      throw refuse("E_FROZEN", { package: key, expected: range, found: version });
  }
  for (const key of Object.keys(lock.packages))
    if (!(key in wished)) throw refuse("E_FROZEN", { package: key, expected: "nothing", found: "a line of the lock" });
}

function refuseThawed(lock: Lock, { placed }: Installed): void {
  for (const { key, entry } of placed) {
    const locked = lock.packages[key];
    if (isSame(locked, entry)) continue;
    const field = Object.entries(entry).find(
      ([name, value]) => name !== "log" && !Bun.deepEquals(value, locked?.[name as keyof typeof entry]),
    )?.[0]; // a key of entry
    throw refuse("E_FROZEN", {
      package: key,
      field: field ?? "",
      expected: JSON.stringify(locked ?? null).slice(0, 300),
    });
  }
}

function worldOf(call: Call, home: Home, { project, lock }: ProjectFiles): InstallWorld {
  return {
    registryOf: (scope) =>
      bindRegistry(call, registryAddress(call, scope, project.registries[scope] ?? lockedAt(lock, scope))),
    seeCheckpoint: (registry, checkpoint) => seeCheckpoint(home, registry, checkpoint),
    known: { scopes: readScopes(home).scopes, locked: lock.packages },
    store: home.store,
  };
}

/** Where a teammate installed the scope's packages from: a wish, like all that a project says. */
function lockedAt(lock: Lock, scope: Scope): string | undefined {
  return Object.entries(lock.packages).find(([key]) => key.startsWith(`${scope}/`))?.[1].registry;
}

async function rememberScopes(home: Home, { scopes }: Installed): Promise<void> {
  await updateScopes(home, (before) => ({
    ...before,
    scopes: {
      ...before.scopes,
      ...Object.fromEntries(scopes.map(({ scope, registry, seq, head }) => [scope, { registry, seq, head }])),
    },
  }));
}

/** The approval view says who signed by this alone: a lock can claim anything. */
function rememberSigners(home: Home, { verified }: Installed): void {
  for (const { key, archive, spec, registry, release } of verified) {
    if (!release) continue;
    const { statement, signers } = release;
    const { version } = spec.manifest;
    rememberProvenance(home, archive.tree, { name: key, version, registry, statement, signers: [...signers] });
  }
}

/** The range as it was asked for, else below the next major version; and where each scope was found, for teammates. */
function withWishes(
  { project }: ProjectFiles,
  wishes: readonly Wish[],
  { lock, scopes }: Result,
): ProjectFiles["project"] {
  const packages = { ...project.packages };
  for (const wish of wishes) {
    if (wish.from !== "registry") packages[wish.key] = "*";
    else packages[wish.name] = rangeOf(wish, lock.packages[wish.name]?.version ?? "", packages[wish.name]);
  }
  const found = Object.fromEntries(scopes.map(({ scope, registry }) => [scope, registry]));
  return { ...project, packages, registries: { ...project.registries, ...found } };
}

type Result = { lock: Lock; scopes: Installed["scopes"] };

function rangeOf(wish: Extract<Wish, { from: "registry" }>, version: string, before: string | undefined): string {
  if (before !== undefined && inRange(version, before)) return before;
  return wish.asked ? wish.range : `^${version}`;
}
