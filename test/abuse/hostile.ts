import { chmodSync, mkdtempSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Files, pack, placeTree, sourcesOf, treePath } from "@hookpkg/archive";
import { identitiesOf } from "@hookpkg/identity";
import {
  type Approved,
  type Engine,
  effectiveOptions,
  gate,
  type Home,
  homeFolders,
  openEngine,
  type Project,
  type Runnable,
} from "@hookpkg/runtime";
import { handlerName, type Outcome, type Payload, parsePackage } from "@hookpkg/spec";

/** A package of one handler, as its author would write it. */
export type Hostile = {
  name?: string;
  run: Readonly<Record<string, unknown>>;
  files?: Readonly<Record<string, string>>;
  rights?: Readonly<Record<string, unknown>>;
  timeoutSeconds?: number;
  /** Between the gate's look at the bytes and the run. */
  before?: (home: Home, tree: Approved["tree"]) => void;
};

export type Scene = { home: Home; root: string; engine: Engine };

export const PROJECT = "abuse";

/** The runtime of a person whose folders lie below `base`. `env` is what hookpkg itself was started with. */
export function openScene(base: string, root: string, env: Readonly<Record<string, string>> = {}): Scene {
  const home = homeFolders(base);
  return { home, root, engine: openEngine({ home, env, worker: process.execPath }) };
}

/** Packs, stores, gates and runs one handler as if it was approved: everything but the consent is the real thing. */
export async function run(scene: Scene, hostile: Hostile, payload: Partial<Payload> = {}): Promise<Outcome> {
  const approved = await asApproved(scene, hostile);
  const [gated] = await gate(scene.home, [approved]);
  if (gated?.kind !== "runnable") throw new Error(`not runnable: ${JSON.stringify(gated)}`);
  hostile.before?.(scene.home, approved.tree);
  return await runnableTold(scene, gated, payload);
}

async function runnableTold(scene: Scene, runnable: Runnable, more: Partial<Payload> = {}): Promise<Outcome> {
  const payload: Payload = {
    ...{ hook_event_name: "PreToolUse", session_id: "abuse", transcript_path: null, cwd: scene.root },
    ...{ tool_name: "Bash", tool_input: { command: "ls" }, ...more },
  };
  const project: Project = { id: PROJECT, root: scene.root };
  const told = scene.engine.run({ payload, host: "native", canAsk: true }, project);
  return await told(runnable, { payload, recheck: false, timeoutMs: 600_000 });
}

/** The handler as the approved set has it once a person said yes. */
export async function asApproved(scene: Scene, hostile: Hostile): Promise<Approved> {
  const { name = "@abuse/guard" } = hostile;
  const files = filesOf(name, hostile);
  const spec = parsePackage(sourcesOf(files));
  const [identity] = identitiesOf(spec, files);
  if (identity === undefined) throw new Error("no handler");
  const archive = pack(files);
  await placeTree(scene.home.store, archive);
  return {
    ...{
      name: handlerName(spec.manifest.name, identity.id),
      source: spec.manifest.name,
      tier: "package",
      state: "trusted",
    },
    ...{ id: identity.id, identity: identity.identity, normalForm: identity.normalForm, tree: archive.tree },
    options: effectiveOptions(spec.manifest.options).values,
    ...{ project: PROJECT, projectRoot: scene.root },
  };
}

function filesOf(name: string, { run, files = {}, rights = {}, timeoutSeconds = 20 }: Hostile): Files {
  const handler = { id: "h", failMode: "closed", may: ["cancel", "context"], timeout: timeoutSeconds, ...run };
  const texts = {
    "hookpkg.json": JSON.stringify({ name, version: "1.0.0", description: "hostile", capabilities: rights }),
    "hooks/hooks.json": JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }),
    ...files,
  };
  return Object.entries(texts)
    .map(([path, text]) => ({ path, executable: path.endsWith(".sh"), bytes: new TextEncoder().encode(text) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The store's tree gives way to a link to another one, as whoever owns the disk could do it at any time. */
export function swapTree(home: Home, tree: Approved["tree"]): void {
  const evil = mkdtempSync(join(tmpdir(), "hookpkg-evil-"));
  const at = treePath(home.store, tree);
  chmodSync(at, 0o755); // a folder that its owner may not write is not moved
  renameSync(at, join(evil, "was"));
  symlinkSync(evil, at);
}

/** Hostile code closes folders to us and makes them deeper than a path can be: rm knows its way. */
export function removeFolder(path: string): void {
  Bun.spawnSync(["chmod", "-R", "u+rwX", path], { stdio: ["ignore", "ignore", "ignore"] });
  Bun.spawnSync(["rm", "-rf", path], { stdio: ["ignore", "ignore", "ignore"] });
}
