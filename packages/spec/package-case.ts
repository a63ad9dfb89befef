import { isFault } from "@hookpkg/fault";
import { z } from "zod";
import { type EventName, foldEvent } from "./event.ts";
import { eventNameSchema } from "./event-input.ts";
import type { Handler } from "./handler.ts";
import { parseJson } from "./json.ts";
import type { SourceFiles } from "./package.ts";
import { type Problem, problem, unreadable, zodProblems } from "./problem.ts";

const MAX_CASE_BYTES = 1024 * 1024;

/** One call that a package must cancel, let pass or patch. `input` is laid over a plain payload of the event. */
export type PackageCase = {
  file: string;
  name: string;
  event: EventName;
  input: Readonly<Record<string, unknown>>;
  options?: Readonly<Record<string, unknown>>;
  want: {
    answer: "continue" | "cancel" | "patch" | "ask" | "allow" | "context" | "end";
    reasonIncludes?: string;
    patch?: unknown;
  };
};

const caseSchema = z.strictObject({
  name: z.string().min(1).max(200),
  event: z.preprocess((name) => (typeof name === "string" ? (foldEvent(name) ?? name) : name), eventNameSchema),
  input: z.record(z.string(), z.unknown()),
  options: z.record(z.string(), z.unknown()).optional(),
  want: z.strictObject({
    answer: z.enum(["continue", "cancel", "patch", "ask", "allow", "context", "end"]),
    reasonIncludes: z.string().max(1000).optional(),
    patch: z.unknown().optional(),
  }),
});

const FIELDS: ReadonlyMap<string, string> = new Map([
  ..."name event input options want".split(" ").map((field) => [field, "a case"] as const),
  ..."answer reasonIncludes patch".split(" ").map((field) => [field, "want"] as const),
]);
const CASE_FILE = /^test\/cases\/[^/]+\.json$/;

/** The package's own cases in order of their files; a file holds one case or a list. Faulty ones are in `problems`. */
export function packageCases(files: SourceFiles): { cases: PackageCase[]; problems: Problem[] } {
  const cases: PackageCase[] = [];
  const problems: Problem[] = [];
  for (const [file, bytes] of files) {
    if (!CASE_FILE.test(file)) continue;
    try {
      const value = parseJson(bytes, { maxBytes: MAX_CASE_BYTES });
      const parsed = (Array.isArray(value) ? z.array(caseSchema) : caseSchema).safeParse(value, { reportInput: true });
      if (!parsed.success) problems.push(...zodProblems(parsed.error, file, FIELDS));
      else
        for (const found of [parsed.data].flat())
          cases.push({ ...(JSON.parse(JSON.stringify(found)) as Omit<PackageCase, "file">), file }); // just checked
    } catch (error) {
      if (!isFault(error)) throw error;
      problems.push(unreadable(file, error));
    }
  }
  return { cases, problems };
}

/** Faulty cases, and guards that have no must-cancel or no must-pass. */
export function caseProblems(files: SourceFiles, handlers: readonly Handler[]): Problem[] {
  const { cases, problems } = packageCases(files);
  const events = new Set(handlers.filter((handler) => handler.may.includes("cancel")).map((handler) => handler.event));
  for (const event of events) {
    const wants = cases.filter((found) => found.event === event).map((found) => found.want.answer);
    if (!wants.includes("cancel") || !wants.includes("continue"))
      problems.push(problem("W_CASES", "test/cases", event));
  }
  return problems;
}
