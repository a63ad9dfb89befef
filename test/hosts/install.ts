import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** One npm package at one version: `latest` of today answers hooks in another way than that of tomorrow. */
export type Pin = { name: string; version: string };

/** Where a pin was installed; `folder` holds its node_modules. */
export type Installed = Pin & { folder: string };

type InstallOptions = { cache?: string; env?: Record<string, string | undefined> };

/**
 * Survives the run. Not in a folder that everyone may write: what is kept here is executed.
 */
export const DEFAULT_CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hookpkg-test-hosts");

/**
 * Installs a pin, unless an earlier run did. A folder of the cache is complete or absent.
 * Throws with npm's words when the package can't be had: a test that needs a host fails without it.
 */
export async function install(pin: Pin, { cache = DEFAULT_CACHE, env = process.env }: InstallOptions = {}) {
  const folder = join(cache, `${pin.name.replace("/", "+")}-${pin.version}`);
  if (!existsSync(folder)) await fill(folder, pin, { cache, env });
  return { name: pin.name, version: versionIn(folder, pin), folder } satisfies Installed;
}

async function fill(folder: string, pin: Pin, { cache, env }: Required<InstallOptions>): Promise<void> {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  clearLeftovers(cache);
  const fresh = mkdtempSync(join(cache, "new-"));
  try {
    writeFileSync(join(fresh, "package.json"), JSON.stringify({ private: true }));
    await runNpm(fresh, pin, env);
    const found = versionIn(fresh, pin);
    if (found !== pin.version) throw new Error(`${pin.name}: npm installed ${found} instead of ${pin.version}`);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another run may have been faster; what it placed is as good.
    if (!existsSync(folder)) throw error;
  }
}

/** In the folder, not with `--prefix`, which moves npm's global settings too. The programs need no scripts of their packages. */
async function runNpm(cwd: string, pin: Pin, env: Record<string, string | undefined>): Promise<void> {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  // `npm test -g` and the like reach us as settings and would lead this npm elsewhere.
  const { npm_config_global, npm_config_omit, ...rest } = env;
  const program = Bun.which("npm", { PATH: env.PATH ?? "" });
  if (program === null) throw new Error(`${pin.name} could not be installed: there is no npm on the PATH`);
  const npm = Bun.spawn([program, "install", ...flags, `${pin.name}@${pin.version}`], {
    cwd,
    env: rest,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([npm.stdout.text(), npm.stderr.text(), npm.exited]);
  if (code !== 0) throw new Error(`${pin.name}@${pin.version} could not be installed with npm:\n${out}${err}`);
}

function versionIn(folder: string, { name }: Pin): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "nothing";
}

/** Half an installation that a killed test run left. Younger ones may be in use. */
function clearLeftovers(cache: string): void {
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  for (const path of new Bun.Glob("new-*").scanSync({ cwd: cache, onlyFiles: false, absolute: true }))
    if (statSync(path).mtimeMs < yesterday) rmSync(path, { recursive: true, force: true });
}
