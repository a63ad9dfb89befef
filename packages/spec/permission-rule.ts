import { resolve } from "node:path";
import type { PermissionRule } from "./handler.ts";
import type { Payload } from "./payload.ts";
import { isMcpTool, toolSubjects } from "./tool.ts";

const MAX_RULE_LENGTH = 500;
/** Characters of a command that rules are tried on; the handler runs on what is longer. */
const MAX_COMMAND_LENGTH = 100_000;
const RULE = /^([A-Za-z][A-Za-z0-9_-]*\*?)(?:\(([^\n]*)\))?$/;

/** `Bash(git push*)`, `Write(src/**)`, `Read`, `mcp__github__*`; undefined when it is no rule. A bare tool is `*`. */
export function parsePermissionRule(text: string): PermissionRule | undefined {
  const plain = text.trim();
  const [, tool, pattern = "*"] = (plain.length <= MAX_RULE_LENGTH && RULE.exec(plain)) || [];
  if (tool === undefined || pattern.trim() === "") return undefined;
  if (tool.endsWith("*") && !tool.startsWith("mcp__")) return undefined;
  if (pattern.startsWith("~")) return undefined; // a rule is judged without knowing whose home it is
  return { tool, pattern: pattern.trim() };
}

/**
 * Whether a rule lets a handler run on this call. It chooses, it does not guard: where a call can't be read for certain (a part of a
 * shell line, a patch that can't be read) the handler runs.
 */
export function permits(rule: PermissionRule, payload: Payload): boolean {
  const tool = payload.tool_name;
  if (tool === undefined || !toolSubjects(tool).some((name) => wild(rule.tool, name))) return false;
  if (rule.pattern === "*" || rule.pattern === "**") return true;
  const input = payload.tool_input ?? {};
  if (tool === "Bash") return permitsCommand(rule.pattern, input.command);
  if (tool === "apply_patch" && !Array.isArray(input.changes)) return true;
  const paths = pathsOf(tool, input);
  if (paths.length > 0) return paths.some((path) => permitsPath(rule.pattern, path, payload.cwd));
  if (tool === "WebFetch" && rule.pattern.startsWith("domain:"))
    return permitsHost(rule.pattern.slice("domain:".length).trim(), input.url);
  if (isMcpTool(tool)) return wild(rule.pattern, JSON.stringify(input));
  return Object.values(input).some((value) => typeof value === "string" && wild(rule.pattern, value));
}

/**
 * The whole line, and each simple command of it: `cd x && git push` is a `git push*`. `git push:*` is the older spelling. A part that a
 * shell makes into other words than it shows could be any command, so the handler runs.
 */
function permitsCommand(pattern: string, command: unknown): boolean {
  if (typeof command !== "string" || command.length > MAX_COMMAND_LENGTH) return true;
  if (CHANGED_BY_SHELL.test(command)) return true;
  const plain = pattern.replace(/:\*$/, "*");
  const parts = command
    .split(/[;&|\n()]+/)
    .map((part) => part.trim().replace(/^(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)+/, ""));
  if (parts.some(startsAnother)) return true;
  return [command.trim(), ...parts].some((part) => spellings(part).some((text) => wild(plain, text)));
}

/** Quotes, escapes, values, what commands print, patterns, redirections. */
const CHANGED_BY_SHELL = /["'`\\$<>{}*?[\]~]/;
/** Reserved words, and programs that run the words after them. */
const FOLLOWED_BY_COMMAND = new Set(
  (
    "! if then elif else while until do for select case in function time coproc " +
    ". source eval exec command builtin env sudo doas su runuser nohup nice ionice timeout setsid stdbuf xargs parallel find watch " +
    "strace flock chroot script busybox sh bash dash zsh ksh fish ssh"
  ).split(" "),
);

function startsAnother(part: string): boolean {
  const [program = ""] = part.split(/\s/, 1);
  return FOLLOWED_BY_COMMAND.has(program.slice(program.lastIndexOf("/") + 1));
}

/** As it stands, with single spaces, and by the program's name alone. */
function spellings(part: string): string[] {
  const single = part.replace(/\s+/g, " ");
  return [part, single, single.replace(/^[^ ]*\//, "")];
}

function pathsOf(tool: string, input: Readonly<Record<string, unknown>>): string[] {
  if (tool === "apply_patch" && Array.isArray(input.changes))
    return input.changes.flatMap((change: { path?: unknown; to?: unknown }) => [change.path, change.to]).filter(isText);
  if (tool === "Glob" || tool === "Grep") return [input.path].filter(isText);
  return [input.file_path, input.notebook_path].filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A pattern without a leading slash is below the event's folder; `//x` is how Claude Code writes an absolute one. */
function permitsPath(pattern: string, path: string, cwd: string): boolean {
  const absolute = pattern.startsWith("/")
    ? pattern.replace(/^\/+/, "/")
    : `${cwd.replace(/\/+$/, "")}/${pattern.replace(/^\.\//, "")}`;
  const folder = absolute.endsWith("/") ? `${absolute}**` : absolute;
  return segmentsMatch(folder.split("/"), resolve(cwd, path).split("/"));
}

function permitsHost(name: string, url: unknown): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return true;
  const host = new URL(url).hostname;
  return wild(name, host) || host.endsWith(`.${name}`);
}

/** `**` stands for any number of segments. A table instead of backtracking: pattern × path steps at most. */
function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let reach = path.map(() => false);
  reach.push(false);
  reach[0] = true; // reach[n]: the pattern so far matches the first n segments
  for (const part of pattern) {
    const next = reach.map(() => false);
    for (let n = 0; n <= path.length; n++)
      if (part === "**") next[n] = reach[n] === true || (n > 0 && next[n - 1] === true);
      else next[n] = n > 0 && reach[n - 1] === true && wild(part, path[n - 1] ?? "");
    reach = next;
  }
  return reach[path.length] === true;
}

/** `*` is any run of signs, `?` one. Goes back to the last star only: pattern × text steps at most. */
export function wild(pattern: string, text: string): boolean {
  let [p, t, star, from] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      from = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
