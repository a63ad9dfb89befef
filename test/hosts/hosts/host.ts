import type { Installed, Pin } from "../install.ts";
import type { ToolCall, Wire } from "../wires/wire.ts";

/** As hookpkg names them. */
export type HostName = "claude-code" | "codex" | "gemini" | "qwen" | "copilot" | "opencode" | "cline";

/** What a host's command line and environment are made of. */
export type Place = {
  /** The host's own installation, and node's. */
  host: Installed;
  node: Installed;
  project: string;
  home: string;
  /** A folder of this run, gone afterwards: for settings that must not stand among the person's. */
  scratch: string;
  /** Where the model answers, without a path. */
  model: string;
  prompt: string;
  /** Whether the host is told to trust the project and all hooks, or goes by what is on record in the home. */
  isTrusting: boolean;
  /** Whether it asks before a call as it does for a person; not all can headless. */
  asks: boolean;
};

/** One host: all that there is to know to drive it headless against a model of ours. */
export type Host = {
  name: HostName;
  pin: Pin;
  /** Which API it asks its model through. */
  wire: Wire;
  /** The call with which its model runs a command. */
  shell: (command: string) => ToolCall;
  command: (place: Place) => string[];
  /** Besides PATH, HOME and the like. */
  env: (place: Place) => Record<string, string>;
  /** Files of the scratch folder: name → text. */
  files?: (place: Place) => Record<string, string>;
};

/** The node that the hosts written in JavaScript run on, whatever node the machine has. */
export const NODE: Pin = { name: `node-linux-${process.arch}`, version: "22.23.3" };

export function nodeBinary(node: Installed): string {
  return `${node.folder}/node_modules/${node.name}/bin/node`;
}
