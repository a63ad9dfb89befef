import { resolve } from "node:path";
import { pack } from "@hookpkg/archive";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { load } from "../publish/load.ts";
import { writeWhole } from "../whole-file.ts";
import { packageFolder } from "./package-folder.ts";

/** Writes the archive that `publish` would send; with `--dry-run` only says what would be in it. */
export async function run(call: Call): Promise<Done<CommandData["pack"]>> {
  const { files, spec, identities, dir } = await load(packageFolder(call));
  const { name, version } = spec.manifest;
  const packed = pack(files);
  const file = call.flags.on("dry-run") ? null : resolve(call.cwd, call.flags.text("out") ?? tarName(name, version));
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

/** `<scope>-<name>-<version>.tar`. */
function tarName(name: string, version: string): string {
  return `${name.slice(1).replace("/", "-")}-${version}.tar`;
}
