import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import {
  type Home,
  liveSessions,
  REAL_OUTSIDE,
  readApprovals,
  readApprovers,
  readConfig,
  readPolicy,
} from "@hookpkg/runtime";
import { approverKeyFile } from "../author/key-file.ts";
import { commandText } from "../command-text.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";
import { modelCheck } from "./model-check.ts";

/** A person's own folders, keys and records. */
export async function personChecks(home: Home, { offline }: { offline: boolean }): Promise<Check[]> {
  const own = [...folders(home), approverKey(home), ...(await records(home)), config(home)];
  return [...own, ...(await modelCheck(home, offline)), sessions(home), policy()];
}

const OWNER_MUST = 0o700;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY = 0o077;

function folders(home: Home): Check[] {
  const below = ["journal", "sessions", "closed"].map((name) => ({
    name: `${name} folder`,
    path: join(home.state, name),
  }));
  const own = (["config", "state", "data"] as const).map((name) => ({ name: `${name} folder`, path: home[name] }));
  const found = below.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  return [...own, ...found].map(({ name, path }) =>
    folder(name, path, path === home.data ? OTHERS_MAY_WRITE : OTHERS_MAY),
  );
}

/** `data` holds the store, which the sandbox's user must be able to reach; the other folders are the person's alone. */
function folder(name: string, path: string, othersMust: number): Check {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return works(name, `${path} is not there yet`);
  const mode = (found.mode & 0o7777).toString(8);
  const chmod = commandText("chmod", othersMust === OTHERS_MAY ? "700" : "755", path);
  if ((found.mode & othersMust) !== 0) return broken(name, `${path} has mode ${mode}: others may use it`, chmod);
  if ((found.mode & OWNER_MUST) !== OWNER_MUST)
    return broken(name, `${path} has mode ${mode}: nothing can be written there`, chmod);
  return isWritable(path)
    ? works(name, `${path}, mode ${mode}`)
    : broken(name, `${path} cannot be written: is its disk mounted read-only?`, commandText("findmnt", "-T", path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function approverKey(home: Home): Check {
  const file = approverKeyFile(home);
  const name = "approver's key";
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return works(name, "none yet: the first approval at a terminal makes it");
  const mode = (found.mode & 0o7777).toString(8);
  if (!found.isFile() || found.uid !== process.getuid?.())
    return broken(name, `${file} is not your own file`, commandText("ls", "-l", file));
  return (found.mode & OTHERS_MAY) === 0
    ? works(name, `${file}, mode ${mode}`)
    : broken(name, `${file} has mode ${mode}: others may read it`, commandText("chmod", "600", file));
}

/** The keys that may approve, and what they approved. While the keys cannot be read, nothing can be said about the rest. */
async function records(home: Home): Promise<Check[]> {
  const file = join(home.config, "keys", "approvers.json");
  try {
    const { keys } = readApprovers(home);
    const canBeginAnew = keys.length === 0 || existsSync(approverKeyFile(home));
    return [works("approvers", `${keys.length} keys may approve`), await approvals(home, canBeginAnew)];
  } catch (error) {
    return [failed("approvers", error, setAside(fileOf(error, file), "then, at a terminal: hookpkg approve"))];
  }
}

async function approvals(home: Home, canBeginAnew: boolean): Promise<Check> {
  const name = "approvals";
  const read = await readApprovals(home);
  if (read.read !== "unreadable")
    return works(name, read.read === "absent" ? "none yet" : `signed by a key of kind ${read.kind}`);
  const anew = "hookpkg approve  (at a terminal it lets you begin anew; or restore the file from a backup first)";
  // Only a person's key may begin anew, and a list of other keys would keep it out.
  const keys = setAside(join(home.config, "keys", "approvers.json"), "then, at a terminal: hookpkg approve");
  return broken(
    name,
    `${read.file} cannot be read, so what it guards is held [${read.why}]`,
    canBeginAnew ? anew : keys,
  );
}

function config(home: Home): Check {
  try {
    readConfig(home);
    return works("config", "can be read");
  } catch (error) {
    const file = fileOf(error, join(home.config, "config.json"));
    return failed("config", error, setAside(file, "your options and model in it are lost then; or mend it by hand"));
  }
}

function sessions(home: Home): Check {
  try {
    return works("sessions", `${liveSessions(home, undefined, REAL_OUTSIDE).length} of hosts are live`);
  } catch (error) {
    return failed("sessions", error, commandText("rm", fileOf(error, join(home.state, "sessions"))));
  }
}

function policy(): Check {
  const name = "machine's policy";
  try {
    return works(name, `names ${readPolicy(REAL_OUTSIDE).managed.length} handlers`);
  } catch (error) {
    return failed(name, error, `ask who runs this machine about ${REAL_OUTSIDE.policyFile}`);
  }
}
