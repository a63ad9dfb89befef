import { z } from "zod";
import { declaredHandlers } from "./declared-handlers.ts";
import { type HandlerEntry, type HooksFile, handlerSchema, KNOWN_FIELDS, SHARED_FIELDS } from "./hooks-file.ts";
import type { SourceFiles } from "./package.ts";
import { isError, type Problem, zodProblems } from "./problem.ts";

/**
 * What is wrong besides with a hooks file that has not its form: each handler is looked at by itself, one that does not fit with a
 * stand-in for what is wrong in it. An author should hear of all faults at once, not of the next one after each mend.
 */
export function salvagedProblems(file: string, value: unknown, files: SourceFiles): Problem[] {
  const problems: Problem[] = [];
  const hooks: HooksFile["hooks"] = {};
  for (const [event, groups] of Object.entries(record(record(value)?.hooks) ?? {}))
    hooks[event] = listOf(groups).map((group, g) => ({
      ...(typeof record(group)?.matcher === "string" ? { matcher: String(record(group)?.matcher) } : {}),
      hooks: listOf(record(group)?.hooks).map((entry, h) => {
        const fits = handlerSchema.safeParse(entry);
        if (fits.success) return fits.data;
        problems.push(...hiddenProblems(file, entry, ["hooks", event, g, "hooks", h]));
        return standIn(
          record(entry) ?? {},
          `unnamed-${event
            .toLowerCase()
            .replace(/[^a-z]/g, "")
            .slice(0, 20)}-${g}-${h}`,
        );
      }),
    }));
  const declared: Problem[] = [];
  declaredHandlers([{ file, hooks: { hooks } }], { files }, declared);
  return [...problems, ...declared.filter(isError)];
}

const sharedSchema = z.looseObject(SHARED_FIELDS);

/** A type that is not known hides every other fault of its handler from the schema. */
function hiddenProblems(file: string, entry: unknown, path: readonly PropertyKey[]): Problem[] {
  const isKnownType = handlerSchema.options.some(({ shape }) => shape.type.value === record(entry)?.type);
  const shared = isKnownType ? undefined : sharedSchema.safeParse(entry, { reportInput: true }).error;
  if (shared === undefined || record(entry) === undefined) return [];
  const issues = shared.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return zodProblems(new z.ZodError(issues), file, KNOWN_FIELDS);
}

/** The handler with its good fields; what is wrong was named, and stands for nothing that could be wrong. */
function standIn(entry: Readonly<Record<string, unknown>>, id: string): HandlerEntry {
  const good = Object.entries(SHARED_FIELDS).filter(
    ([name, schema]) => entry[name] !== undefined && schema.safeParse(entry[name]).success,
  );
  const fields: Record<string, unknown> = { id, ...Object.fromEntries(good.map(([name]) => [name, entry[name]])) };
  // Whether a fail mode makes sense hangs on what it may.
  if (entry.may !== undefined && fields.may === undefined) delete fields.failMode;
  for (const names of [["module"], ["argv", "command"], ["argv"]]) {
    const run = names.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]]));
    const fits = handlerSchema.safeParse({ ...fields, type: entry.type, ...Object.fromEntries(run) });
    if (fits.success && (run.length > 0 || names.length > 1)) return fits.data;
  }
  return handlerSchema.parse({ ...fields, type: "command", argv: ["true"] });
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
