import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pack } from "@hookpkg/archive";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { load } from "../publish/load.ts";
import { writeWhole } from "../whole-file.ts";
import { packageFolder } from "./package-folder.ts";

/** Writes the archive that `publish` would send; with `--dry-run` only says what would be in it. */
export async function run(call: Call): Promise<Done<CommandData["pack"]>> {
  const { files, spec, identities, dir } = await load(packageFolder(call));
  const { name, version } = spec.manifest;
  const packed = pack(files);
  const file = call.flags.on("dry-run") ? null : target(call, dir, tarName(name, version));
  if (file !== null) writeWhole(file, packed.tar, { mode: 0o644, existing: "replace" });
  const handlers = identities.map(({ id, identity }) => ({ id, identity }));
  const paths = files.map(({ path }) => path);
  return {
    data: {
      name,
      version,
      file,
      bytes: packed.tar.byteLength,
      integrity: packed.sha512,
      tree: packed.tree,
      files: paths,
      handlers,
    },
    lines: [
      `${name}@${version}: ${paths.length} files, ${packed.tar.byteLength} bytes, from ${dir}`,
      ...paths.map((path) => `  ${path}`),
      ...handlers.map(({ id, identity }) => `  #${id} ${identity}`),
      `  ${packed.sha512}`,
      file === null ? "nothing was written (--dry-run)" : `written to ${file}`,
    ],
  };
}

/** Never in the package's own folder: the next archive would have this one in it. Without `--out` beside the folder, when that is where we are. */
function target({ cwd, flags }: Call, dir: string, name: string): string {
  const given = flags.text("out");
  if (given === undefined) return join(isWithin(cwd, dir) ? dirname(realpathSync(dir)) : cwd, name);
  const file = resolve(cwd, given);
  if (isWithin(dirname(file), dir)) throw refuse("E_USAGE", { found: file, expected: "a file outside the package" });
  return file;
}

function isWithin(folder: string, above: string): boolean {
  if (!existsSync(folder)) return false;
  const inside = relative(realpathSync(above), realpathSync(folder));
  return inside === "" || !/^\.\.(\/|$)/.test(inside);
}

/** `<scope>-<name>-<version>.tar`. */
function tarName(name: string, version: string): string {
  return `${name.slice(1).replace("/", "-")}-${version}.tar`;
}
