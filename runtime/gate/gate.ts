import { join } from "node:path";
import type { Files } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { identityOf } from "@hookpkg/identity";
import { hexOf, matches, sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { knownTree } from "./known-trees.ts";
import type { Approved, Gated, Runnable } from "./runnable.ts";
import { closureFiles } from "./stored-package.ts";

/**
 * Station 11. Each approved handler becomes runnable only with bytes that were hashed by this process and whose identity, computed
 * anew from them and the approved normal form, is the approved one. Otherwise it is held (closed) or bypassed visibly (open).
 */
export async function gate(home: Home, handlers: readonly Approved[]): Promise<Gated[]> {
  const trees = new Map<string, Promise<Files>>();
  const read = (tree: Approved["tree"]) => {
    const files = trees.get(tree) ?? knownTree(home.store, tree);
    trees.set(tree, files);
    return files;
  };
  return Promise.all(handlers.map((handler) => admit(home, handler, read)));
}

async function admit(home: Home, handler: Approved, read: (tree: Approved["tree"]) => Promise<Files>): Promise<Gated> {
  try {
    return withBytes(handler, await read(handler.tree), dataFolder(home, handler));
  } catch (error) {
    return refused(handler, isFault(error) ? error.code : "E_STORE_MISSING");
  }
}

function withBytes(handler: Approved, stored: Files, data: string): Runnable {
  const { normalForm, identity } = handler;
  const { files, closure } = closureFiles(stored);
  const approved = identityOf(normalForm);
  const computed = closure === normalForm.closure ? approved : identityOf({ ...normalForm, closure });
  if (approved !== identity) throw refuse("E_APPROVALS_FORM", { handler: handler.name, identity });
  if (computed !== identity) throw refuse("E_GATE_IDENTITY", { handler: handler.name, approved: identity, computed });
  matches(normalForm.matcher, []); // E_MATCHER_REGEX: nobody can tell which calls it was meant for
  return { ...handler, kind: "runnable", files, dataFolder: data } as Runnable; // its bytes have the approved identity
}

/** What a handler that can't run means for its stage. */
export function refused(handler: Approved, why: string): Gated {
  const { name, identity, normalForm, project, state } = handler;
  const common = { name, identity, event: normalForm.event, matcher: normalForm.matcher, why, project };
  const isClosed = normalForm.failMode === "closed" && normalForm.may.includes("cancel");
  return isClosed ? { kind: "held", ...common } : { kind: "bypassed", ...common, state };
}

/** Per project and package, kept through updates. Local packages have names that no folder can have. */
function dataFolder(home: Home, { source, project }: Pick<Approved, "source" | "project">): string {
  const [scope = "", name] = source.startsWith("@") ? source.split("/") : ["local", hexOf(sha256(source)).slice(0, 16)];
  return join(home.data, "data", project, scope, name ?? "");
}

/** All that it keeps between calls: its own data, and what it stored through us. */
export function keptFolders(home: Home, handler: Pick<Approved, "source" | "project">): string[] {
  const data = dataFolder(home, handler);
  return [data, storageFolder(data)];
}

/** Beside the data folder, not in it: no sandbox ever sees it, so nothing in it can be a trap for us. */
export function storageFolder(dataFolder: string): string {
  return `${dataFolder}.storage`;
}
