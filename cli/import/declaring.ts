import { readFileBelow } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { type HookSource, readSettings } from "@hookpkg/hosts";
import { parsedFrom, parseJson, parseToml } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A file that declares hooks, read; `file` is below the source's root. */
export type Declaring = { file: string; settings: Json };

/** Bytes of a file that declares hooks; those of hosts have a few thousand. */
const MAX_DECLARING_BYTES = 1024 * 1024;

/** These files as their host reads them. E_JSON_…, E_TOML, E_SETTINGS_…, each with its file; E_SOURCE_FORM for what is no object. */
export function readDeclaring(root: string, files: readonly string[], host?: HookSource): Promise<Declaring[]> {
  return Promise.all(
    files.map(async (file) => {
      const { bytes } = readFileBelow(root, file, MAX_DECLARING_BYTES);
      const settings = asTable(await parsed(file, bytes, host));
      if (settings === undefined) throw refuse("E_SOURCE_FORM", { file, expected: "one object" });
      return { file, settings };
    }),
  );
}

export function isThere(root: string, file: string): boolean {
  try {
    readFileBelow(root, file, MAX_DECLARING_BYTES);
    return true;
  } catch (error) {
    if (["E_FOLDER_MISSING", "E_FOLDER_NOT_FOLDER", "E_FOLDER_SPECIAL"].some((code) => isFault(error, code)))
      return false;
    throw error;
  }
}

export function asTable(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

async function parsed(file: string, bytes: Uint8Array, host: HookSource | undefined): Promise<unknown> {
  const maxBytes = MAX_DECLARING_BYTES;
  if (file.endsWith(".toml")) return parsedFrom(file, () => parseToml(bytes, { maxBytes }));
  const text = bytes[0] === 0xef ? bytes.subarray(3) : bytes; // a byte order mark, which hosts pass over
  try {
    return parsedFrom(file, () => parseJson(text, { maxBytes }));
  } catch (error) {
    if (!isFault(error, "E_JSON") || host?.settings.comments !== true) throw error;
    return withComments(file, new TextDecoder().decode(text));
  }
}

/** Some hosts read past comments. */
async function withComments(file: string, text: string): Promise<unknown> {
  try {
    return await readSettings(text, { comments: true });
  } catch (cause) {
    if (isFault(cause))
      return parsedFrom(file, () => {
        throw cause;
      });
    // The parser's stack: comments hide the depth from the check before it.
    throw refuse("E_SOURCE_FORM", { file, expected: "fewer levels" }, cause);
  }
}
