import { rmSync } from "node:fs";
import {
  ancestorsOf,
  dataFolder,
  drop,
  type Home,
  homeFolders,
  type Project,
  projectAt,
  REAL_OUTSIDE,
  refuseInsideHost,
  withLock,
} from "@hookpkg/runtime";
import { type CommandData, EXIT, type HandlerName } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { type ProjectFiles, projectRoot, readProjectFiles, writeProjectFiles } from "../project/files.ts";
import { askConfirm } from "../prompt.ts";
import { approverKey } from "../trust/approver-key.ts";
import { lookAt } from "../trust/project-trust.ts";
import { installLock, refuseUnorderedLock } from "./command.ts";
import { parseWish } from "./wish.ts";

/**
 * Takes packages out of the project's files. That only proposes: what was approved goes on running until the person consents to
 * the removal, which a terminal asks at once and `approve --drop` does elsewhere.
 */
export async function run(call: Call): Promise<Done<CommandData["uninstall"]>> {
  if (call.args.length === 0)
    throw refuse("E_USAGE", { found: "no package", expected: "hookpkg uninstall @scope/name" });
  const home = homeFolders(call.home);
  const root = projectRoot(call);
  const keys = call.args.map((text) => keyOf(text, call.cwd, root));
  await withLock(home, installLock(home, root), async () => {
    const files = readProjectFiles(root);
    const { project, lock } = files;
    for (const key of keys)
      if (!(key in lock.packages) && !(key in project.packages)) throw refuse("E_NOT_INSTALLED", { package: key });
    const kept = <T>(all: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));
    const left: ProjectFiles = {
      project: { ...project, packages: kept(project.packages) },
      lock: { lock: 1, packages: kept(lock.packages) },
    };
    await refuseUnorderedLock(home, root, files, left);
    writeProjectFiles(root, left);
  });
  const place = projectAt(home, root);
  const dropped = place ? await consented(call, home, place, keys) : [];
  if (place && call.flags.on("purge"))
    for (const key of keys)
      rmSync(dataFolder(home, { source: key, project: place.id }), { recursive: true, force: true });
  const waiting = (await lookAt(home, root)).view.handlers
    .filter(({ source, change }) => keys.includes(source) && change === "dropped")
    .map(({ name }) => name);
  return {
    data: { removed: keys, waiting },
    lines: [
      ...keys.map((key) => `${key} is out of the lock`),
      ...dropped.map((name) => `${name} runs no more`),
      ...waiting.map((name) => `${name} was approved and goes on running: hookpkg approve --drop ${name}`),
    ],
    ...(waiting.length > 0 ? { exit: EXIT.waits } : {}),
  };
}

function keyOf(text: string, cwd: string, root: string): string {
  const wish = parseWish(text, cwd, root);
  return wish.from === "registry" ? wish.name : wish.key;
}

/** At a terminal the person is asked; without one nothing that was approved is taken away. */
async function consented(call: Call, home: Home, place: Project, keys: readonly string[]): Promise<HandlerName[]> {
  const { view } = await lookAt(home, place.root);
  const names = view.handlers
    .filter(({ source, change }) => keys.includes(source) && change === "dropped")
    .map(({ name }) => name);
  if (names.length === 0 || !call.terminal.interactive) return [];
  refuseInsideHost(home, { envNames: Object.keys(call.env), ancestors: ancestorsOf(process.pid) }, REAL_OUTSIDE);
  const text = `${names.join(", ")} will guard this project no more. Stop running it?`;
  if (!(await askConfirm(call.terminal, { text, flag: "hookpkg approve --drop NAME" }))) return [];
  await drop(home, place, names, { signer: await approverKey(call, home), outside: REAL_OUTSIDE });
  return names;
}
