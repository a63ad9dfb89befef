import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Bundles a guard's `guard.ts` into `dist/guard.js`, which needs `@hookpkg/sdk` and `node:` modules only, and writes
 * `dist/THIRD-PARTY-LICENSES.txt`: the licence of every package that is in the bundle. Same sources, same bytes.
 */
export async function bundleGuard(folder: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: [join(folder, "guard.ts")],
    root: folder,
    target: "node",
    format: "esm",
    external: ["@hookpkg/sdk"],
    minify: { whitespace: true, syntax: true, identifiers: false },
  });
  const [bundle] = built.outputs;
  if (!built.success || bundle === undefined) throw new AggregateError(built.logs, `${folder} does not build`);
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  write(join(dist, "guard.js"), await bundle.text());
  write(join(dist, "THIRD-PARTY-LICENSES.txt"), licences());
}

/** Packages whose code is in the bundle of every guard. */
const BUNDLED = ["unbash"];

function licences(): string {
  return BUNDLED.map((name) => {
    const home = packageFolder(realpathSync(Bun.resolveSync(name, import.meta.dir)));
    const { version, license } = manifestOf(join(home, "package.json"));
    return `${name} ${version} (${license})\n\n${readFileSync(join(home, "LICENSE"), "utf8").trim()}\n`;
  }).join("\n---\n\n");
}

function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!Bun.file(join(folder, "package.json")).size) folder = dirname(folder);
  return folder;
}

function manifestOf(path: string): { version: string; license: string } {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest) || !("license" in manifest)) {
    throw new Error(`${path} names no version and license`);
  }
  return { version: `${manifest.version}`, license: `${manifest.license}` };
}

function write(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { flush: true });
  renameSync(`${path}.new`, path);
}
