import type { Fact, Facts } from "@hookpkg/fault";
import type { HandlerReport } from "./decision.ts";
import type { HandlerReach } from "./trust-data.ts";

/** What `attach` did in one host's settings. `notes`: what the host cannot do, and what its own trust still wants. */
export type Attachment = {
  host: string;
  scope: "personal" | "shared";
  file: string;
  state: "attached" | "changed" | "already" | "failed";
  events: readonly string[];
  notes: readonly string[];
  /** The command without which these entries do not find hookpkg on this machine. */
  mend?: string;
  error?: { code: string; message: string; hint?: string; facts: Facts };
};
/** `restored`: the bytes from before are back; `removed`: only our entries were taken out; `gone`: there was nothing left of them. */
export type Detachment = "restored" | "removed" | "gone";

/** `data` of the commands between hosts, other programs and hookpkg. */
export type HostData = {
  /** `waiting`: handlers that react to it too and that nobody approved yet. */
  try: { decision: string; reason?: string; handlers: readonly Fact[]; waiting: readonly string[] };
  run: { exit: number; stdout: string; stderr: string };
  "daemon status":
    | { running: true; pid: number; sinceMs: number; events: number; busy: number; workers: number }
    | { running: false; why: string };
  "daemon stop": { stopped: boolean };
  /** What became of each handler that heard it. */
  emit: { event: string; handlers: readonly HandlerReport[] };
  /** It runs long, and its own lines are JSON-RPC. */
  bridge: Record<string, never>;
  attach: { hosts: readonly Attachment[] };
  "attach --list": {
    hosts: readonly {
      host: string;
      found: boolean;
      file: string;
      attached: boolean;
      projects: readonly string[];
      /** Of the handlers of this project, where there is one. */
      handlers?: readonly (Omit<HandlerReach, "host"> & { handler: string })[];
    }[];
  };
  "attach --print": { hosts: readonly { host: string; file: string; settings: Fact }[] };
  detach: { hosts: readonly { host: string; scope: "personal" | "shared"; file: string; found: Detachment }[] };
};
