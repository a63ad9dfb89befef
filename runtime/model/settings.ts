import { closeSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isFault, systemCode } from "@hookpkg/fault";
import { type Config, LOOPBACK_NAMES, netTarget } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { readConfig } from "../person/config.ts";
import { openRegular, readAtMost } from "../person/regular-file.ts";

/** A person's model, ready to be asked: where its API begins, without a slash at the end, and the key that it wants, if any. */
export type ModelSettings = Omit<NonNullable<Config["model"]>, "keyFile"> & { key?: string };

const MAX_KEY_BYTES = 4096;
const OTHERS_MAY = 0o077;

/** What `config.json` says now, its key read; undefined: no model is configured. E_MODEL_URL, E_MODEL_KEY, E_STATE_…. */
export function modelSettings(home: Home): ModelSettings | undefined {
  const { model } = readConfig(home);
  if (model === undefined) return undefined;
  const { keyFile, ...rest } = model;
  const settings = { ...rest, url: model.url.replace(/\/+$/, "") };
  checkUrl(settings.url);
  return keyFile === undefined ? settings : { ...settings, key: keyOf(home, keyFile) };
}

/** What is asked, and the key, go over TLS or nowhere beyond this machine. */
function checkUrl(url: string): void {
  const target = netTarget(url);
  const isSafe = target !== undefined && (target.tls || LOOPBACK_NAMES.has(target.name));
  if (!isSafe || url.includes("?") || url.includes("#")) throw refuse("E_MODEL_URL", withoutKeys(url));
}

/** The fault goes into journals and reports, and in these places people write keys. */
function withoutKeys(url: string): { url: string; found?: string } {
  const [plain = ""] = url.replace(/\/\/[^/]*@/, "//").split(/[?#]/);
  return { url: plain.slice(0, 200), ...(plain === url ? {} : { found: "more than an address: a user, ? or #" }) };
}

/** A regular file that is the person's own and that nobody else may read: one line without blanks. */
function keyOf(home: Home, keyFile: string): string {
  const file = keyFile.startsWith("~/") ? join(home.base, keyFile.slice(2)) : keyFile;
  if (!isAbsolute(file)) throw refuse("E_MODEL_KEY", { file, found: "a relative path" });
  try {
    const { fd, stat } = openRegular(file);
    try {
      if (stat.uid !== process.getuid?.()) throw refuse("E_MODEL_KEY", { file, owner: stat.uid });
      if ((stat.mode & OTHERS_MAY) !== 0) throw refuse("E_MODEL_KEY", { file, mode: (stat.mode & 0o7777).toString(8) });
      const key = new TextDecoder().decode(readAtMost(fd, MAX_KEY_BYTES)).trim();
      if (!/^[!-~]+$/.test(key)) throw refuse("E_MODEL_KEY", { file, found: "no key in one line" });
      return key;
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw isFault(cause) ? cause : refuse("E_MODEL_KEY", { file, system: systemCode(cause) }, cause);
  }
}
