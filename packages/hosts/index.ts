import type { HostAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { claudeCodeSettings } from "./claude-code/entries.ts";
import { codex } from "./codex/codex.ts";
import { codexSettings } from "./codex/entries.ts";
import { geminiCliSettings } from "./gemini-cli/entries.ts";
import { geminiCli } from "./gemini-cli/gemini-cli.ts";
import { native } from "./native/native.ts";
import { qwenCodeSettings } from "./qwen-code/entries.ts";
import { qwenCode } from "./qwen-code/qwen-code.ts";

import type { HostSettings } from "./settings.ts";

export type { HostAdapter, HostEvent, HostName, HostReply } from "./adapter.ts";

/** Every host that `hookpkg run` speaks with. */
export const HOSTS: readonly HostAdapter[] = [native, claudeCode, codex, geminiCli, qwenCode];

export function hostNamed(name: string): HostAdapter | undefined {
  return HOSTS.find((host) => host.name === name);
}

export { isEntryPath, isOwnText, type Launch, personalText, sharedText } from "./entry-text.ts";
export { type AttachableHost, type Entry, type Group, groupOf, type HookFile, type HostSettings } from "./settings.ts";
export {
  type Groups,
  groupsOf,
  isSame,
  newSettings,
  readSettings,
  withGroups,
  withoutGroups,
} from "./settings-edit.ts";

/** Every host that `hookpkg attach` knows. */
export const HOST_SETTINGS: readonly HostSettings[] = [
  claudeCodeSettings,
  codexSettings,
  geminiCliSettings,
  qwenCodeSettings,
];
