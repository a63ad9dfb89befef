import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { addApprover, type Home, homeFolders, readApprovers } from "@hookpkg/runtime";
import type { PrivateKey } from "@hookpkg/signing";
import { type CommandData, parseScope, refuseReserved } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { approverKeyFile, keyRing, makeKeyFile, makeScopeKeys, scopeKeyFile } from "./key-file.ts";

/** Makes a publisher's keys for a scope, or an automation key that may approve. */
export async function run(call: Call): Promise<Done<CommandData["keygen"]>> {
  const scope = call.flags.text("scope");
  const automation = call.flags.text("automation");
  if ((scope === undefined) === (automation === undefined))
    throw refuse("E_USAGE", { expected: "--scope @SCOPE or --automation FILE" });
  if (scope !== undefined) return scopeKeys(call, scope);
  return automationKey(call, resolve(call.cwd, automation ?? ""));
}

async function scopeKeys(call: Call, text: string): Promise<Done<CommandData["keygen"]>> {
  const scope = parseScope(text);
  refuseReserved(scope);
  const home = homeFolders(call.home);
  const file = scopeKeyFile(home, scope, "release");
  if (existsSync(file)) throw refuse("E_KEYGEN_EXISTS", { file });
  const passphrase = await keyRing(call).newPassphrase(`the keys of ${scope}`);
  const key = await makeScopeKeys(home, scope, passphrase);
  return {
    data: dataOf(file, key, passphrase !== null),
    lines: [
      `${scope} signs releases with ${key.id}: ${file}`,
      `its root key, needed only to change who may publish: ${scopeKeyFile(home, scope, "root")}`,
      ...(passphrase === null ? ["neither has a passphrase: whoever can read the files can publish"] : []),
    ],
  };
}

/** An automation key has no passphrase: nobody is there to type one. */
async function automationKey(call: Call, file: string): Promise<Done<CommandData["keygen"]>> {
  if (existsSync(file)) throw refuse("E_KEYGEN_EXISTS", { file });
  const home = homeFolders(call.home);
  const vouching = await vouchingKey(call, home);
  const key = await makeKeyFile(file, null);
  try {
    await addApprover(home, { public: key.public, kind: "automation" }, vouching);
  } catch (error) {
    rmSync(file, { force: true }); // a key that nobody lists is of no use
    throw error;
  }
  return {
    data: dataOf(file, key, false),
    lines: [`${key.id} may approve for you, without a passphrase: ${file}`, "keep it where no agent can read it"],
  };
}

/** Once somebody may approve, only a person's key lets another one in. Without one the list itself refuses. */
async function vouchingKey(call: Call, home: Home): Promise<PrivateKey | undefined> {
  const file = approverKeyFile(home);
  return readApprovers(home).keys.length > 0 && existsSync(file) ? keyRing(call).open(file) : undefined;
}

function dataOf(file: string, key: PrivateKey, encrypted: boolean): CommandData["keygen"] {
  return { file, id: key.id, public: key.public, encrypted };
}
