import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOST_SETTINGS } from "@hookpkg/hosts";

/** Where a project sets variables that hosts hand to hooks. */
const FILES = [...HOST_SETTINGS.flatMap(({ environment = [] }) => environment), ".env", ".env.local", ".envrc"];
/** What a shell or the system's loader obeys before it has read a word of an entry: no text of ours can stop it. */
const BEFORE_ANY_ENTRY =
  /(?<![A-Za-z0-9_])(BASH_ENV|BASH_FUNC_[^"'\s=:]{1,100}|SHELLOPTS|BASHOPTS|LD_[A-Z_]+|GLIBC_TUNABLES|GCONV_PATH|LOCPATH)(?=["'%]*\s*[=:])/g;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_NAMED = 5;

/** Files of a project that set such variables, and which. */
export function earlyVariables(root: string): { file: string; names: readonly string[] }[] {
  return FILES.flatMap((path) => {
    const file = join(root, path);
    const names = [...(smallText(file)?.matchAll(BEFORE_ANY_ENTRY) ?? [])].map(([, name = ""]) => name);
    return names.length === 0 ? [] : [{ file, names: [...new Set(names)].slice(0, MAX_NAMED) }];
  });
}

/** For whoever attaches a host here, or asks whether all is well. */
export function earlyVariableText({ file, names }: ReturnType<typeof earlyVariables>[number]): string {
  return `${file} sets ${names.join(", ")}: what starts a hook obeys that before any entry, and a guard may then never be asked`;
}

/** Undefined where there is no regular file of that size: then no host takes variables from it either. */
function smallText(file: string): string | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(fd);
      return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(fd, "utf8") : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
