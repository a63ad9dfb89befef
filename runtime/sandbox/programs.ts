import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { refuse } from "../faults.ts";
import type { Linked, Programs } from "./plan.ts";
import type { Arch } from "./syscalls.ts";

const BWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];
const UTIL_LINUX = ["/usr/bin", "/bin", "/usr/sbin"];
const LOADERS: Record<Arch, string> = { x64: "/lib64/ld-linux-x86-64.so.2", arm64: "/lib/ld-linux-aarch64.so.1" };
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives"];

export type FindOptions = {
  /** hookpkg's own binary, or the bun that runs it. */
  worker: string;
  /** Where bubblewrap may be; the first that exists counts. */
  bwrap?: readonly string[];
};

/** Finds what a sandbox needs by fixed paths, never by PATH. Throws E_SANDBOX_PLATFORM, E_SANDBOX_NO_BWRAP, E_SANDBOX_NO_PROGRAM. */
export function findPrograms({ worker, bwrap = BWRAP }: FindOptions): Programs {
  const arch = process.arch;
  if (process.platform !== "linux" || (arch !== "x64" && arch !== "arm64")) {
    throw refuse("E_SANDBOX_PLATFORM", { platform: process.platform, arch });
  }
  const found = bwrap.find(isThere);
  if (found === undefined || !belongsToRoot(found)) {
    throw refuse("E_SANDBOX_NO_BWRAP", { looked: [...bwrap], ...(found === undefined ? {} : { notRootOwned: found }) });
  }
  const loader = LOADERS[arch];
  return {
    arch,
    bwrap: found,
    setpriv: linked(utility("setpriv"), loader),
    prlimit: utility("prlimit"),
    worker: linked(realpathSync(worker), loader),
    system: SYSTEM.filter(isThere).map((path) =>
      lstatSync(path).isSymbolicLink() ? { path, link: readlinkSync(path) } : { path },
    ),
  };
}

/** Root-owned and writable by root only, every folder above it too: else whoever can change it is inside our boundary. */
export function belongsToRoot(path: string): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    const { uid, mode } = statSync(at);
    if (uid !== 0 || (mode & 0o022) !== 0) return false;
    if (at === "/") return true;
  }
}

function utility(name: string): string {
  const paths = UTIL_LINUX.map((folder) => `${folder}/${name}`);
  const found = paths.find(isThere);
  if (found === undefined || !belongsToRoot(found)) throw refuse("E_SANDBOX_NO_PROGRAM", { name, looked: paths });
  return found;
}

/** Asks the dynamic loader itself what it would load: it knows the folders of its distribution. */
function linked(binary: string, loader: string): Linked {
  if (!isThere(loader)) throw refuse("E_SANDBOX_NO_PROGRAM", { name: loader });
  const listed = Bun.spawnSync([loader, "--list", binary], { env: {}, cwd: "/", stdin: "ignore", stderr: "ignore" });
  if (listed.exitCode !== 0) throw refuse("E_SANDBOX_NO_PROGRAM", { name: binary, loader });
  const paths = [...listed.stdout.toString().matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map((match) => match[1] ?? "");
  return { binary, libraries: [...new Set([loader, ...paths])].sort() };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
