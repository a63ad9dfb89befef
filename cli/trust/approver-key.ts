import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  addApprover,
  type Home,
  makeFolder,
  REAL_OUTSIDE,
  readApprovers,
  readOwn,
  sessionsAtWork,
} from "@hookpkg/runtime";
import { keyFileHead, type PrivateKey } from "@hookpkg/signing";
import { approverKeyFile, isSealed, keyRing, makeKeyFile, publicKeyIn } from "../author/key-file.ts";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { askChoice, askSecret } from "../prompt.ts";

/**
 * The key that signs this person's approvals: `--key`, else their own, which is made at the first approval. E_APPROVER_MISSING
 * when keys are listed and none of them is here: only a listed key could add another one. E_APPROVER_OPEN: a terminal proves nothing, since
 * an agent can make itself one; so while a host works in the project (anywhere, without one) it takes a passphrase.
 */
export async function approverKey(call: Call, home: Home, project?: string): Promise<PrivateKey> {
  const given = call.flags.text("key");
  const file = given === undefined ? approverKeyFile(home) : resolve(call.cwd, given);
  if (given === undefined && !existsSync(file)) return firstKey(call, home, { file, project });
  if (!isSealed(file) && !isAutomation(home, file)) refuseWhileAtWork(home, { file, project });
  if (given !== undefined) return keyRing(call).open(file);
  const key = await keyRing(call).open(file);
  // A kill between the two steps of `firstKey` leaves a key that nobody listed.
  if (readApprovers(home).keys.length === 0) await addApprover(home, { public: key.public, kind: "person" });
  return key;
}

/** Whether whoever can read the person's key file can approve; undefined when there is none. */
export function isApproverKeyOpen(home: Home): boolean | undefined {
  const bytes = readOwn(approverKeyFile(home));
  return bytes === undefined ? undefined : !keyFileHead(bytes).encrypted;
}

/** Those have their own rule, which the runtime keeps. */
function isAutomation(home: Home, file: string): boolean {
  const inFile = publicKeyIn(file);
  return readApprovers(home).keys.some((key) => key.public === inFile && key.kind === "automation");
}

type ForProject = { file: string; project: string | undefined };

function refuseWhileAtWork(home: Home, { file, project }: ForProject): void {
  const [session] = sessionsAtWork(home, project, REAL_OUTSIDE);
  if (session) throw refuse("E_APPROVER_OPEN", { file, host: session.host, lastEvent: session.lastEvent });
}

async function firstKey(call: Call, home: Home, { file, project }: ForProject): Promise<PrivateKey> {
  const { keys } = readApprovers(home);
  if (keys.length > 0) throw refuse("E_APPROVER_MISSING", { file, listed: keys.map(({ id }) => id) });
  const passphrase = await askPassphrase(call);
  if (passphrase === null) refuseWhileAtWork(home, { file, project });
  makeFolder(home, dirname(file));
  const key = await makeKeyFile(file, passphrase);
  try {
    await addApprover(home, { public: key.public, kind: "person" });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return key;
}

async function askPassphrase(call: Call): Promise<string | null> {
  const flag = "hookpkg approve --identity HK1 --key FILE";
  const choice = await askChoice(call.terminal, { text: "Your first approval makes the key that signs them", flag }, [
    { value: "sealed", label: "with a passphrase, asked at every approval" },
    { value: "open", label: "without one: whoever can read the file can approve for you" },
  ]);
  if (choice === "open") return null;
  return askSecret(call.terminal, { text: "Passphrase for your approvals", flag }, true);
}
