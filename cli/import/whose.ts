import { basename } from "node:path";
import { foreignHooks, HOOK_SOURCES, type HookSource } from "@hookpkg/hosts";
import { refuse } from "../faults.ts";
import { asTable, type Declaring, type Json } from "./declaring.ts";

/** The host of this name. E_SOURCE_HOST with the names that there are. */
export function sourceNamed(name: string | undefined): HookSource | undefined {
  if (name === undefined) return undefined;
  const found = HOOK_SOURCES.find(({ adapter }) => adapter.name === name);
  if (found === undefined) throw ambiguous(HOOK_SOURCES, { found: name.slice(0, 100) });
  return found;
}

/** The host whose settings stand in a folder of this name: `.claude`, `.codex`, … */
export function hostOfFolder(folder: string): HookSource | undefined {
  return HOOK_SOURCES.find(({ settings }) => settings.folder === basename(folder));
}

/** The host that alone uses the words of these files. E_SOURCE_HOST where several could have written them. */
export function hostOfWords(declaring: readonly Declaring[], path: string): HookSource {
  const hosts = [...new Set(declaring.flatMap(({ settings }) => OWN_WORDS.flatMap((own) => own(settings) ?? [])))];
  const found = HOOK_SOURCES.filter(({ adapter }) => hosts.includes(adapter.name));
  const [host, ...others] = found;
  if (host === undefined || others.length > 0) throw ambiguous(found.length > 0 ? found : HOOK_SOURCES, { path });
  return host;
}

export function ambiguous(hosts: readonly HookSource[], facts: Readonly<Record<string, string>>): Error {
  return refuse("E_SOURCE_HOST", {
    ...facts,
    hosts: hosts.map(({ adapter }) => adapter.name),
    expected: "--host NAME",
  });
}

/** What only one host writes: its events, its tools under everybody's events, its switches. */
const OWN_WORDS: readonly ((settings: Json) => string | undefined)[] = [
  (settings) => (foreignHooks(settings).hooks.some(({ event }) => isGeminiEvent(event)) ? "gemini-cli" : undefined),
  (settings) =>
    foreignHooks(settings).hooks.some(
      ({ event, matcher }) => !isGeminiEvent(event) && /run_shell_command/.test(matcher ?? ""),
    )
      ? "qwen-code"
      : undefined,
  (settings) => ("astracode_hooks" in (asTable(settings.features) ?? {}) ? "astracode" : undefined),
];

function isGeminiEvent(event: string): boolean {
  return /^(Before|After)[A-Z]|^PreCompress$/.test(event);
}
