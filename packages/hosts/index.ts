import type { HostAdapter } from "./adapter.ts";
import { astracode } from "./astracode/astracode.ts";
import { astracodeSettings } from "./astracode/entries.ts";
import { astracodeHooks } from "./astracode/plugin.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { claudeCodeSettings } from "./claude-code/entries.ts";
import { claudeCodeHooks } from "./claude-code/plugin.ts";
import { cline } from "./cline/cline.ts";
import { clineSettings } from "./cline/entries.ts";
import { codex } from "./codex/codex.ts";
import { codexSettings } from "./codex/entries.ts";
import { codexHooks } from "./codex/plugin.ts";
import { copilotCli } from "./copilot-cli/copilot-cli.ts";
import { copilotCliSettings } from "./copilot-cli/entries.ts";
import { cursor } from "./cursor/cursor.ts";
import { cursorSettings } from "./cursor/entries.ts";
import { eva } from "./eva/eva.ts";
import { geminiCliSettings } from "./gemini-cli/entries.ts";
import { geminiCli } from "./gemini-cli/gemini-cli.ts";
import { geminiCliHooks } from "./gemini-cli/plugin.ts";
import type { HookSource } from "./hook-source.ts";
import { native } from "./native/native.ts";
import { opencodeSettings } from "./opencode/entries.ts";
import { opencode } from "./opencode/opencode.ts";
import { periSettings } from "./peri/entries.ts";
import { peri } from "./peri/peri.ts";
import { periHooks } from "./peri/plugin.ts";
import { qwenCodeSettings } from "./qwen-code/entries.ts";
import { qwenCodeHooks } from "./qwen-code/plugin.ts";
import { qwenCode } from "./qwen-code/qwen-code.ts";
import type { HostSettings } from "./settings.ts";

export type { HostAdapter, HostEvent, HostName, HostReply } from "./adapter.ts";
export { evaStage } from "./eva/stage.ts";
/** Not among `HOSTS`: Eva starts no program, it speaks with `hookpkg bridge --eva`. */
export { eva };

/** Every host that `hookpkg run` speaks with. */
export const HOSTS: readonly HostAdapter[] = [
  native,
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  cursor,
  peri,
  astracode,
  opencode,
  cline,
];

export function hostNamed(name: string): HostAdapter | undefined {
  return HOSTS.find((host) => host.name === name);
}

export { canAsk } from "./can-ask.ts";
export { type CanonicalMatcher, canonicalMatcher } from "./canonical-matcher.ts";
export { LEGACY_NOTIFY } from "./codex/legacy-notify.ts";
export {
  ENTRY_END,
  isEntryPath,
  isEntryRefusal,
  isOwnText,
  type Launch,
  personalText,
  sharedPlaces,
  sharedText,
} from "./entry-text.ts";
export { duplicatesIn, type ForeignHook, foreignHooks, type HookProblem, hookProblems } from "./foreign-hooks.ts";
export type { HookRules } from "./hook-rules.ts";
export { type HookSource, inSeconds } from "./hook-source.ts";
export { hostWords } from "./host-words.ts";
export { type Asking, knownEvent, type Reach, type Reaching, reachOf } from "./reach.ts";
export { isRefused } from "./refusal-read.ts";
export { HOOK_RULES } from "./rules.ts";
export {
  type AttachableHost,
  commandsIn,
  type Entry,
  type Group,
  groupOf,
  type HookFile,
  type HostSettings,
  SHIM_MARK,
  type Shim,
} from "./settings.ts";
export {
  type Groups,
  groupsOf,
  isSame,
  newSettings,
  readSettings,
  withGroups,
  withoutGroups,
} from "./settings-edit.ts";
export { takesContext } from "./takes-context.ts";
export { eventsAt, hostVersion, settingsAt, versionNotes } from "./versions.ts";

/** Every host that `hookpkg attach` knows. */
export const HOST_SETTINGS: readonly HostSettings[] = [
  claudeCodeSettings,
  codexSettings,
  geminiCliSettings,
  qwenCodeSettings,
  copilotCliSettings,
  cursorSettings,
  periSettings,
  astracodeSettings,
  opencodeSettings,
  clineSettings,
];

/** Every host whose hooks `hookpkg new --from` reads. */
export const HOOK_SOURCES: readonly HookSource[] = [
  claudeCodeHooks,
  codexHooks,
  geminiCliHooks,
  qwenCodeHooks,
  periHooks,
  astracodeHooks,
];
