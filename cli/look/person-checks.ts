import { lstatSync } from "node:fs";
import { type Home, REAL_OUTSIDE, readApprovals, readApprovers, readPolicy } from "@hookpkg/runtime";
import { approverKeyFile } from "../author/key-file.ts";
import { broken, type Check, failed, works } from "./check.ts";

/** A person's own folders, keys and records. */
export async function personChecks(home: Home): Promise<Check[]> {
  return [...folders(home), approverKey(home), approvers(home), await approvals(home), policy()];
}

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY = 0o077;

function folders(home: Home): Check[] {
  return (["config", "state", "data"] as const).map((name) => {
    const path = home[name];
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return works(`${name} folder`, `${path} is not there yet`);
    const mode = (found.mode & 0o7777).toString(8);
    // `data` holds the store, which the sandbox's user must be able to reach.
    const isWrong = (found.mode & (name === "data" ? OTHERS_MAY_WRITE : OTHERS_MAY)) !== 0;
    if (isWrong) return broken(`${name} folder`, `${path} has mode ${mode}`, `chmod 700 ${path}`);
    return works(`${name} folder`, `${path}, mode ${mode}`);
  });
}

function approverKey(home: Home): Check {
  const file = approverKeyFile(home);
  const name = "approver's key";
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return works(name, "none yet: the first approval at a terminal makes it");
  const mode = (found.mode & 0o7777).toString(8);
  if (!found.isFile() || found.uid !== process.getuid?.())
    return broken(name, `${file} is not your own file`, `ls -l ${file}`);
  return (found.mode & OTHERS_MAY) === 0
    ? works(name, `${file}, mode ${mode}`)
    : broken(name, `${file} has mode ${mode}: others may read it`, `chmod 600 ${file}`);
}

function approvers(home: Home): Check {
  const name = "approvers";
  try {
    return works(name, `${readApprovers(home).keys.length} keys may approve`);
  } catch (error) {
    return failed(name, error, `mend or restore ${home.config}/keys/approvers.json`);
  }
}

async function approvals(home: Home): Promise<Check> {
  const name = "approvals";
  const read = await readApprovals(home);
  if (read.read === "unreadable")
    return broken(
      name,
      `they cannot be read, so what they guard is held [${read.why}]`,
      `restore ${home.state}/approvals.json, or begin anew: hookpkg approve`,
    );
  return works(name, read.read === "absent" ? "none yet" : `signed by a key of kind ${read.kind}`);
}

function policy(): Check {
  const name = "machine's policy";
  try {
    return works(name, `names ${readPolicy(REAL_OUTSIDE).managed.length} handlers`);
  } catch (error) {
    return failed(name, error, `ask who runs this machine about ${REAL_OUTSIDE.policyFile}`);
  }
}
