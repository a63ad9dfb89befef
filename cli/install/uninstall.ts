import {
  discardData,
  drop,
  type Home,
  homeFolders,
  keptFolders,
  projectAt,
  REAL_OUTSIDE,
  withLock,
} from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import { type CommandData, EXIT, type HandlerName } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { type ProjectFiles, projectRoot, readProjectFiles, writeProjectFiles } from "../project/files.ts";
import { askConfirm } from "../prompt.ts";
import { approverKey } from "../trust/approver-key.ts";
import { refuseInside } from "../trust/inside-host.ts";
import { adviceLines } from "../trust/page.ts";
import { lookAt } from "../trust/project-trust.ts";
import { installLock, refuseUnorderedLock } from "./command.ts";
import { parseWish } from "./wish.ts";

/**
 * Takes packages out of the project's files. That only proposes: what was approved goes on running until the person consents to
 * the removal, which a terminal asks first and `approve --drop` does elsewhere. Ctrl-C at any question has changed nothing.
 */
export async function run(call: Call): Promise<Done<CommandData["uninstall"]>> {
  if (call.args.length === 0)
    throw refuse("E_USAGE", { found: "no package", expected: "hookpkg uninstall @scope/name" });
  const home = homeFolders(call.home);
  const root = projectRoot(call);
  const keys = call.args.map((text) => keyOf(text, call.cwd, root));
  await withoutThem(home, root, keys);
  const consent = await consented(call, home, root, keys);
  await withLock(home, installLock(home, root), async () => {
    writeProjectFiles(root, await withoutThem(home, root, keys));
  });
  const place = projectAt(home, root);
  if (place && consent) await drop(home, place, consent.names, { signer: consent.signer, outside: REAL_OUTSIDE });
  if (place && call.flags.on("purge"))
    for (const key of keys)
      for (const folder of keptFolders(home, { source: key, project: place.id })) discardData(folder);
  const waiting = (await lookAt(home, root)).view.handlers
    .filter(({ source, change }) => keys.includes(source) && change === "dropped")
    .map(({ name }) => name);
  return {
    data: { removed: keys, waiting },
    lines: [
      ...keys.map((key) => `${key} is out of the lock`),
      ...(consent?.names ?? []).map((name) => `${name} runs no more`),
      ...waiting.flatMap((name) => adviceLines(`${name} was approved and goes on running`, dropCommand(name))),
    ],
    ...(waiting.length > 0 ? { exit: EXIT.waits } : {}),
  };
}

/** The project's files as they would be; refused before anybody is asked, and again under the lock. */
async function withoutThem(home: Home, root: string, keys: readonly string[]): Promise<ProjectFiles> {
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
  return left;
}

function keyOf(text: string, cwd: string, root: string): string {
  const wish = parseWish(text, cwd, root);
  return wish.from === "registry" ? wish.name : wish.key;
}

type Consent = { names: HandlerName[]; signer: PrivateKey };

/** At a terminal the person is asked, their key with them; without one nothing that was approved is taken away. */
async function consented(call: Call, home: Home, root: string, keys: readonly string[]): Promise<Consent | undefined> {
  const { view } = await lookAt(home, root);
  const names = view.handlers
    .filter(({ source, approved }) => keys.includes(source) && approved !== undefined)
    .map(({ name }) => name);
  if (names.length === 0 || !call.terminal.interactive) return undefined;
  refuseInside(call, home);
  const text = `${names.join(", ")} will guard this project no more. Stop running it, too? (no: it runs on)`;
  if (!(await askConfirm(call.terminal, { text, flag: names.map(dropCommand).join("; ") }))) return undefined;
  return { names, signer: await approverKey(call, home, projectAt(home, root)?.id) };
}

function dropCommand(name: string): string {
  return commandText("hookpkg", "approve", "--drop", name);
}
