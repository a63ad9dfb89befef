import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { HOST_SETTINGS, type HookFile, type HostSettings, readSettings } from "@hookpkg/hosts";
import { parseToml } from "@hookpkg/spec";
import { faultText } from "../failure.ts";

/** A file in which a host looks for hooks, as it is there. `folder`: the plugin's that it belongs to. */
export type FoundFile = {
  host: HostSettings;
  scope: HookFile["scope"] | "plugin";
  file: string;
  form: HookFile["form"];
  folder?: string;
  /** It needs no head of the host's. */
  bare?: true;
  settings?: Readonly<Record<string, unknown>>;
  problem?: string;
};

const MAX_PLUGINS = 200;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Every file that a host here reads hooks from and that is there: the machine's, the person's, the project's, plugins'. */
export async function hookFiles({ base, root, path }: Looking): Promise<FoundFile[]> {
  // Some hosts read their neighbours' files: one that was never here reads nothing.
  const here = HOST_SETTINGS.filter(
    ({ folder, program }) =>
      [base, root].some((one) => existsSync(join(one, folder))) || Bun.which(program, { PATH: path }) !== null,
  );
  const found = await Promise.all(here.map((host) => filesOf(host, base, root)));
  return found.flat();
}

/** The home in which hosts keep what is theirs, the project, and where programs are looked for. */
export type Looking = { base: string; root: string; path: string };

async function filesOf(host: HostSettings, base: string, root: string): Promise<FoundFile[]> {
  const places = host.reads.flatMap(({ scope, path, form, bare }) => {
    const file = scope === "machine" ? path : join(scope === "personal" ? base : root, path);
    return filesAt(file).map((one) => ({ scope, file: one, form, ...(bare ? { bare } : {}) }));
  });
  const own = [...new Map(places.map((place) => [place.file, place])).values()];
  const plugins = host.plugins
    .flatMap(({ folder, depth }) => pluginFolders(join(base, folder), depth))
    .slice(0, MAX_PLUGINS)
    .map((folder) => ({
      scope: "plugin" as const,
      file: join(folder, "hooks/hooks.json"),
      form: "json" as const,
      folder,
    }));
  const read = await Promise.all(
    [...own, ...plugins].map(async (place) => {
      const text = textOf(place.file);
      return text === undefined ? [] : [{ host, ...place, ...(await parsed(text, place.form, host)) }];
    }),
  );
  return read.flat();
}

/** A file, or every one of a folder that a host reads whole (`*.json`). */
function filesAt(file: string): string[] {
  if (!file.endsWith(EVERY)) return [file];
  const folder = file.slice(0, -EVERY.length);
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names
      .sort()
      .slice(0, MAX_PLUGINS)
      .map((name) => join(folder, name));
  } catch {
    return []; // none here
  }
}

const EVERY = "/*.json";

/** Folders so many names below this one. */
export function pluginFolders(folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .slice(0, MAX_PLUGINS)
      .flatMap(({ name }) => pluginFolders(join(folder, name), depth - 1));
  } catch {
    return []; // none here
  }
}

/** undefined: it is not there, or is no file of a usual size. */
export function textOf(file: string): string | undefined {
  try {
    const { size } = statSync(file);
    return size > MAX_FILE_BYTES ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

async function parsed(text: string, form: HookFile["form"], host: HostSettings) {
  try {
    const settings =
      form === "toml"
        ? asTable(parseToml(Buffer.from(text), { maxBytes: MAX_FILE_BYTES }))
        : await readSettings(text, host);
    return { settings };
  } catch (error) {
    const why = isFault(error) ? faultText(error) : "it is nested too deeply";
    return { problem: `${host.host} cannot read it, so none of its hooks runs: ${why}` };
  }
}

function asTable(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" ? { ...value } : {};
}
