import { type Fact, type Facts, type Fault, isFault } from "@hookpkg/fault";
import { EXIT, type Exit, type JsonResult, PROBLEMS, type Problem, problemLine } from "@hookpkg/spec";
import { adviceFor } from "./advice.ts";
import { refuse } from "./faults.ts";
import { oneLine } from "./terminal.ts";

/** Codes by the exit code that they end in; what is not named ends in 1. */
const EXITS: readonly [RegExp, Exit][] = [
  [/^E_(USAGE|COMMAND_UNKNOWN)$/, EXIT.usage],
  [/^E_INTERRUPTED(_AFTER)?$/, EXIT.interrupted],
  [/^E_SANDBOX_/, EXIT.noSandbox],
  [/^E_(LOG_FORKED|SPLIT_VIEW)$/, EXIT.splitView],
  [
    /^E_(VERIFY|ENVELOPE|SCOPE_|RELEASE_|LOG_|ARCHIVE|STORE_DIFFERS|FROZEN|KEY_(?!PASSPHRASE|FILE)|STATEMENT|CANONICAL|REGISTRY_CHANGED)/,
    EXIT.refused,
  ],
];

/** An error as the command line shows it. An error that is no Fault is our own mistake and is shown without its stack. */
export function failure(
  error: unknown,
  command?: string,
): { exit: Exit; lines: readonly string[]; json: JsonResult<never> } {
  const fault = isFault(error)
    ? error
    : refuse("E_INTERNAL", { found: error instanceof Error ? error.message.slice(0, 300) : "" }, error);
  const exit = EXITS.find(([codes]) => codes.test(fault.code))?.[1] ?? EXIT.failed;
  const hint = adviceFor(fault.code, { command, facts: fault.facts });
  const line = `hookpkg: ${faultText(fault)}`;
  const problems = problemsOf(fault.facts).map((problem) => `  ${problemLine(problem)} [${problem.code}]`);
  return {
    exit,
    lines: [line, ...problems, ...(hint ? [`  ${hint}`] : [])].map(oneLine),
    json: {
      ok: false,
      error: { code: fault.code, message: fault.message, ...(hint ? { hint } : {}), facts: fault.facts },
    },
  };
}

/** What went wrong, with what is known of it: sentence, facts, code. */
export function faultText({ message, facts, code }: Pick<Fault, "message" | "facts" | "code">): string {
  return `${message}${factText(facts)} [${code}]`;
}

/** A faulty package carries all that is wrong with it. */
function problemsOf({ problems }: Facts): Problem[] {
  const isProblem = (fact: unknown): fact is Problem =>
    typeof fact === "object" && fact !== null && "code" in fact && "path" in fact && `${fact.code}` in PROBLEMS;
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

function factText(facts: Facts): string {
  const parts = Object.entries(facts)
    .filter(([name]) => name !== "problems")
    .map(([name, fact]) => `${name}: ${short(fact)}`);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

function short(fact: Fact): string {
  const text = typeof fact === "string" ? fact : JSON.stringify(fact);
  const line = text.trim().replace(/\s*\n\s*/g, " "); // others' errors have several lines
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
