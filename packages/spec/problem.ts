import type { Fault } from "@hookpkg/fault";
import { distance } from "fastest-levenshtein";
import type { z } from "zod";

/** What can be wrong with a package. Errors start with E_, warnings with W_; the codes are stable. */
export const PROBLEMS = {
  E_FILE_MISSING: "a file is missing",
  E_FILE_UNREADABLE: "a file cannot be read as what it should be",
  E_FIELD_UNKNOWN: "a field is not known",
  E_FIELD_MISSING: "a field is missing",
  E_FIELD_VALUE: "a field has a value that it cannot have",
  E_EVENT_UNKNOWN: "there is no such event",
  E_HANDLER_ID_TWICE: "two handlers have one id",
  E_TIMEOUT_UNIT: "a timeout is in seconds",
  E_MAY_EVENT: "a handler of this event cannot be given this right",
  E_ONCE_GUARD: "a handler that runs once a session cannot be closed, nor cancel tool calls",
  E_CLOSED_WITHOUT_CANCEL: "a closed handler must be able to cancel, at a stage, waited for",
  E_MATCHER_REGEX: "the matcher is not an RE2 expression",
  E_MATCHER_TOOL: "the matcher names no tool, but nearly one",
  E_MATCHER_VALUE: "the matcher names nothing that this event goes by, but nearly something",
  E_MATCHER_EVENT: "this event has no matcher",
  E_RULE: "this is not a permission rule",
  E_PLACEHOLDER: "this placeholder is not known",
  E_HTTP_URL: "this is not a plain http or https address of a named host",
  E_HTTP_HOST: "the host of an http handler must be declared in capabilities.net",
  E_HTTP_HEADER: "this header cannot be set, or its value is not plain text",
  E_HTTP_VARIABLE: "a variable in a header must be declared in capabilities.env",
  E_MAY_MODEL: "a prompt answers cancel or ask, an agent cancel or patch, and neither anything else",
  E_MODEL_PLACE: "nobody here would read what a model says",
  E_AGENT_MATCHER:
    "an agent handler of a tool event needs a matcher or a rule, so that it is not asked about every call",
  E_MODULE_MISSING: "the module is not in the package",
  E_IMPORT: "a module can import its own files, @hookpkg/sdk, node: and bun: only",
  E_OPTION_DEFAULT: "an option's default has another type than the option",
  W_GUARD_OPEN: "a handler that may cancel and is open lets the action pass when it fails",
  W_GUARD_MODEL: "this guard is a model's word, and the text that it judges can talk to it",
  W_TIMEOUT_CLAMPED: "at a session's end a handler has one second, whatever it asks for",
  W_CASES: "a handler that may cancel has at least one case that it must cancel and one that it must let pass",
  W_MATCHER_TOOL: "the matcher names a tool that no known host has",
  W_PROGRAM_MISSING: "a command names a file that is not in the package",
  W_PROGRAM_MODE: "a program of the package is not executable, so it cannot be started",
  W_TWO_SOURCES: "hooks.json and hooks.toml are both read, JSON first",
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a package: a stable code, where (`file: field.path`), what was found and the likely right spelling. */
export type Problem = { code: ProblemCode; path: string; detail?: string; suggestion?: string };

export function isError(problem: Problem): boolean {
  return problem.code.startsWith("E_");
}

/** One line for people. */
export function problemLine(problem: Problem): string {
  const detail = problem.detail === undefined ? "" : ` (${problem.detail.trim().replace(/\s*\n\s*/g, " ")})`;
  const suggestion = problem.suggestion === undefined ? "" : `, did you mean ${problem.suggestion}?`;
  return `${problem.path}: ${PROBLEMS[problem.code]}${detail}${suggestion}`;
}

/** The known spelling nearest to a wrong one, when it is near enough to be meant. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, "");
  let best: { word: string; away: number } | undefined;
  for (const word of known) {
    const away =
      plain(word) === plain(wrong) ? 0 : oneEdit(wrong, word) ? 1 : distance(wrong.toLowerCase(), word.toLowerCase());
    if (away <= Math.max(1, Math.floor(word.length / 4)) && (!best || away < best.away)) best = { word, away };
  }
  return best?.word;
}

/** One sign added, left out, changed or swapped with its neighbour; case and separators don't count. */
export function oneEdit(found: string, meant: string): boolean {
  const [a, b] = [found, meant].map((text) => text.toLowerCase().replace(/[-_ ]/g, ""));
  if (a === undefined || b === undefined || Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const tails = (left: number, right: number) => a.slice(from + left) === b.slice(from + right);
  const swapped = a[from] === b[from + 1] && a[from + 1] === b[from] && tails(2, 2);
  return tails(0, 0) || tails(1, 1) || tails(1, 0) || tails(0, 1) || swapped;
}

/** How zod names an absent value, by the kind of field. */
const MISSING = new Set<string>(["invalid_type", "invalid_value", "invalid_union", "custom"]);

/**
 * zod's issues as problems: all of them, each with its path and the likely spelling of an unknown field. `knownFields`: each with the
 * place where it stands, which is said of one that stands elsewhere.
 */
export function zodProblems(error: z.ZodError, file: string, knownFields: ReadonlyMap<string, string>): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const path = placeOf(file, issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const [place, home] = [`${path}${path === file ? ": " : "."}${key}`, knownFields.get(key)];
        if (home !== undefined) return problem("E_FIELD_UNKNOWN", place, `here: it belongs to ${home}`);
        return problem("E_FIELD_UNKNOWN", place, undefined, nearest(key, [...knownFields.keys()]));
      });
    if (MISSING.has(issue.code) && issue.input === undefined) return [problem("E_FIELD_MISSING", path)];
    return [problem("E_FIELD_VALUE", path, issue.message.slice(0, 200))];
  });
}

export function problem(code: ProblemCode, path: string, detail?: string, suggestion?: string): Problem {
  return {
    code,
    path,
    ...(detail === undefined ? {} : { detail }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** A file that cannot be read as what it should be, and where in it that shows. */
export function unreadable(file: string, { code, message, facts }: Fault): Problem {
  const { line, column } = facts;
  const place = line === undefined ? "" : `, line ${String(line)}, column ${String(column)}`;
  const what = facts.key ?? facts.found;
  return problem(
    "E_FILE_UNREADABLE",
    file,
    `${code}: ${message}${typeof what === "string" ? `: ${what}` : ""}${place}`,
  );
}

function placeOf(file: string, path: readonly PropertyKey[]): string {
  if (path.length === 0) return file;
  return `${file}: ${path.map((part, n) => (typeof part === "number" ? `[${part}]` : `${n ? "." : ""}${String(part)}`)).join("")}`;
}
