import { lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isSystem, systemCode } from "@hookpkg/fault";
import { refuse } from "./faults.ts";

/** A person's folders. Made by `homeFolders` only; nothing in the environment has a say in them. */
export type Home = {
  /** What everything lies below: `--home`, or the home of the password database. */
  base: string;
  config: string;
  state: string;
  data: string;
  cache: string;
  store: string;
};

const FOLDER_MODE = 0o700;
/** Read-only files that are named by their digest; the sandbox of another user must be able to open them. */
const STORE_MODE = 0o755;

/**
 * The folders of this person: below `--home`, else below the home of the password database. Folders that are there already
 * must be theirs and lie where they seem to (E_HOME_OWNER, E_HOME_LINK).
 */
export function homeFolders(homeFlag?: string): Home {
  const base = homeFlag === undefined ? passwordHome(userId()) : resolve(homeFlag);
  const folders =
    homeFlag === undefined
      ? ([".config/hookpkg", ".local/state/hookpkg", ".local/share/hookpkg", ".cache/hookpkg"] as const)
      : (["config", "state", "data", "cache"] as const);
  const [config, state, data, cache] = folders.map((folder) => join(base, folder)) as [string, string, string, string]; // four above
  const home: Home = { base, config, state, data, cache, store: join(data, "store") };
  for (const folder of [config, state, data, cache, home.store]) checkFolder(home, folder);
  return home;
}

/** Makes a folder of the person's, and what is missing above it, for them alone. */
export function makeFolder(home: Home, folder: string): string {
  if (checkFolder(home, folder)) return folder;
  if (folder !== home.base && folder.startsWith(home.base)) makeFolder(home, dirname(folder));
  try {
    mkdirSync(folder, { mode: folder === home.store ? STORE_MODE : FOLDER_MODE });
  } catch (cause) {
    if (!isSystem(cause, "EEXIST")) throw refuse("E_HOME_UNWRITABLE", { folder, system: systemCode(cause) }, cause);
  }
  checkFolder(home, folder);
  return folder;
}

/** False when it is absent. A link is followed only to what is still below the person's home. */
function checkFolder(home: Home, folder: string): boolean {
  let real: string;
  try {
    real = realpathSync(folder);
  } catch (cause) {
    if (isSystem(cause, "ENOENT") && !isThere(folder)) return false;
    throw refuse("E_HOME_LINK", { folder, system: systemCode(cause) }, cause);
  }
  const base = realpathSync(home.base);
  if (real !== base && !real.startsWith(`${base === "/" ? "" : base}/`))
    throw refuse("E_HOME_LINK", { folder, found: real });
  const stat = lstatSync(real);
  if (!stat.isDirectory()) throw refuse("E_HOME_LINK", { folder, found: "not a folder" });
  if (stat.uid !== userId()) throw refuse("E_HOME_OWNER", { folder, owner: stat.uid, expected: userId() });
  return true;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Bun's and Node's own answers obey HOME, which a project can set; the password database does not. */
function passwordHome(uid: number): string {
  const line = passwordLine(readFileSync("/etc/passwd", "utf8"), uid) ?? passwordLine(getent(uid), uid);
  const home = line?.split(":")[5];
  if (!home?.startsWith("/")) throw refuse("E_HOME_UNKNOWN", { uid });
  return home;
}

function passwordLine(text: string, uid: number): string | undefined {
  return text.split("\n").find((line) => line.split(":")[2] === `${uid}`);
}

/** People of a directory service are not in the file. */
function getent(uid: number): string {
  try {
    const found = Bun.spawnSync(["/usr/bin/getent", "passwd", `${uid}`], {
      env: {},
      stdin: "ignore",
      stderr: "ignore",
    });
    return found.stdout.toString();
  } catch {
    return "";
  }
}

function userId(): number {
  return process.getuid?.() ?? -1;
}
