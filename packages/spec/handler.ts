import type { May } from "./answer.ts";
import type { Capabilities } from "./capability.ts";
import type { Sha256 } from "./digest.ts";
import type { EventName } from "./event.ts";

export type FailMode = "open" | "closed";

/** Exact names, or an RE2 expression; `null` matches everything. Names are as written, sorted. */
export type Matcher = null | { names: readonly string[] } | { re2: string };

/** A permission rule on a tool's hook shape, such as `Bash(git push*)`. */
export type PermissionRule = { tool: string; pattern: string };

/** What runs. */
export type Run =
  | { type: "module"; path: string; export: "default"; isolate: "worker" | "call" }
  | { type: "command"; argv: readonly string[] }
  | { type: "command"; shell: string }
  | { type: "service"; argv: readonly string[] }
  /** Header names are lower case; values may hold `${VAR}` of a granted variable. */
  | { type: "http"; url: string; method: "POST"; headers: Readonly<Record<string, string>> }
  /** One call of the person's model; on a notice a *trigger*. `$ARGUMENTS` in the prompt stands for the event. */
  | { type: "prompt"; prompt: string; model: ModelSize }
  /** One turn of the model, which says what it decides by calling a tool. */
  | { type: "agent"; prompt: string; model: ModelSize };

/** Which of the two models that a person has configured. */
export type ModelSize = "small" | "large";

/** One declared reaction to one event, every default filled in. Made by the package door only. */
export type Handler = {
  id: string;
  event: EventName;
  matcher: Matcher;
  if: readonly PermissionRule[];
  run: Run;
  may: readonly May[];
  timeoutMs: number;
  failMode: FailMode;
  once: boolean;
  async: boolean;
  answers: "lenient" | "strict";
  outputLimit: number;
  before: readonly string[];
  after: readonly string[];
  /** Shown to people; not part of the identity. */
  statusMessage?: string;
};

/** Every key present, lists sorted and de-duplicated (argv excepted). Its hash is the identity. */
export type NormalForm = {
  v: 1;
  event: EventName;
  matcher: Matcher;
  if: readonly PermissionRule[];
  run: Run;
  may: readonly May[];
  timeoutMs: number;
  failMode: FailMode;
  once: boolean;
  async: boolean;
  answers: "lenient" | "strict";
  outputLimit: number;
  before: readonly string[];
  after: readonly string[];
  capabilities: Capabilities;
  /** Programs that must be there, by name. */
  requires: readonly string[];
  closure: Sha256;
};
