import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type HostSettings, hostVersion } from "@hookpkg/hosts";
import { parseJson } from "@hookpkg/spec";
import { programOn } from "./host-place.ts";

const MAX_PACKAGE_BYTES = 1024 * 1024;
/** How far above its program a package may begin. */
const MAX_FOLDERS_UP = 4;
const MAX_WAIT_MS = 5000;

/**
 * The version of a host that is installed, by the package that its command is of or the name of its file; undefined: it is not here, or
 * nothing says so. Looked up anew each time: hosts update themselves. Nothing is started.
 */
export function installedVersion({ program, npm }: HostSettings, path: string | undefined): string | undefined {
  const file = realFile(programOn(program, path));
  if (file === undefined) return undefined;
  const own = /^v?\d+\.\d+\.\d+$/.test(basename(file)) ? hostVersion(basename(file)) : undefined;
  return own ?? (npm === undefined ? undefined : packageVersion(npm, dirname(file)));
}

/** The same, and as a last resort what the program says itself, in an environment of ours and a home that is none. */
export async function askedVersion(settings: HostSettings, path: string | undefined): Promise<string | undefined> {
  const found = installedVersion(settings, path);
  const program = programOn(settings.program, path);
  if (found !== undefined || program === undefined) return found;
  try {
    const child = Bun.spawn([program, "--version"], {
      cwd: "/",
      env: { PATH: path ?? "", HOME: "/nonexistent", LANG: "C", NO_COLOR: "1", TERM: "dumb" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: MAX_WAIT_MS,
      killSignal: "SIGKILL",
    });
    const [said, code] = await Promise.all([child.stdout.text(), child.exited]);
    return code === 0 ? hostVersion(said.slice(0, 200)) : undefined;
  } catch {
    return undefined; // it cannot be started: it says nothing
  }
}

function realFile(program: string | undefined): string | undefined {
  try {
    return program === undefined ? undefined : realpathSync(program);
  } catch {
    return undefined;
  }
}

/** Of the nearest folders above the program, the one that is this package: its own parts are packages, too. */
function packageVersion(name: string, folder: string, up = MAX_FOLDERS_UP): string | undefined {
  const found = manifestIn(folder);
  if (found?.name === name) return typeof found.version === "string" ? hostVersion(found.version) : undefined;
  return up === 0 || folder === "/" ? undefined : packageVersion(name, dirname(folder), up - 1);
}

function manifestIn(folder: string): { name?: unknown; version?: unknown } | undefined {
  try {
    const bytes = readFileSync(join(folder, "package.json"));
    const value: unknown = bytes.length > MAX_PACKAGE_BYTES ? undefined : parseJson(bytes);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
