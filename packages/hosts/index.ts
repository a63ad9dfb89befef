import type { HostAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";
import { geminiCli } from "./gemini-cli/gemini-cli.ts";
import { native } from "./native/native.ts";
import { qwenCode } from "./qwen-code/qwen-code.ts";

export type { HostAdapter, HostEvent, HostName, HostReply } from "./adapter.ts";

/** Every host that `hookpkg run` speaks with. */
export const HOSTS: readonly HostAdapter[] = [native, claudeCode, codex, geminiCli, qwenCode];

export function hostNamed(name: string): HostAdapter | undefined {
  return HOSTS.find((host) => host.name === name);
}
