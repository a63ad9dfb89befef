import type { May } from "./answer.ts";
import { sorted } from "./capability.ts";
import { EVENT_NAMES, type EventName, eventRow, foldEvent } from "./event.ts";
import { LATER_EVENTS } from "./event-later.ts";
import type { Handler, PermissionRule, Run } from "./handler.ts";
import { type HandlerEntry, type HooksFile, MAX_TIMEOUT_S } from "./hooks-file.ts";
import { matcherProblems, parseMatcher } from "./matcher.ts";
import { moduleProblems } from "./module-imports.ts";
import type { SourceFiles } from "./package.ts";
import { parsePermissionRule } from "./permission-rule.ts";
import { foldPlaceholders, placeholderMisses } from "./placeholder.ts";
import { nearest, type Problem, problem } from "./problem.ts";

export type Sources = readonly { file: string; hooks: HooksFile }[];

export const DEFAULT_OUTPUT_LIMIT = 10_000;

/** Handlers in the order they stand, every default filled in; what is wrong with them goes to `problems`. */
export function declaredHandlers(sources: Sources, files: SourceFiles, problems: Problem[]): Handler[] {
  const handlers: Handler[] = [];
  const ids = new Set<string>();
  for (const { file, hooks } of sources)
    for (const [spelling, groups] of Object.entries(hooks.hooks)) {
      const event = eventOf(spelling, `${file}: hooks.${spelling}`, problems);
      if (!event) continue;
      for (const [g, group] of groups.entries())
        for (const [h, entry] of group.hooks.entries()) {
          const path = `${file}: hooks.${spelling}[${g}].hooks[${h}]`;
          if (ids.has(entry.id)) problems.push(problem("E_HANDLER_ID_TWICE", `${path}.id`, entry.id));
          ids.add(entry.id);
          const handler = fill(entry, event, group.matcher, path, problems);
          if (!handler) continue;
          handlers.push(handler);
          problems.push(...handlerProblems(handler, path), ...moduleProblems(handler, files, path));
        }
    }
  return handlers;
}

function eventOf(spelling: string, path: string, problems: Problem[]): EventName | undefined {
  const event = foldEvent(spelling);
  if (event) return event;
  if (LATER_EVENTS.includes(spelling)) problems.push(problem("E_EVENT_UNSUPPORTED", path));
  else problems.push(problem("E_EVENT_UNKNOWN", path, undefined, nearest(spelling, [...EVENT_NAMES, ...LATER_EVENTS])));
  return undefined;
}

function fill(
  entry: HandlerEntry,
  event: EventName,
  matcherText: string | undefined,
  path: string,
  problems: Problem[],
): Handler | undefined {
  const row = eventRow(event);
  const before = problems.length;
  const run = runOf(entry, path, problems);
  if (entry.timeout !== undefined && entry.timeout > MAX_TIMEOUT_S)
    problems.push(
      entry.timeout >= 1000
        ? problem("E_TIMEOUT_UNIT", `${path}.timeout`, `${entry.timeout}`, `${entry.timeout / 1000}`)
        : problem("E_FIELD_VALUE", `${path}.timeout`, `at most ${MAX_TIMEOUT_S} seconds`),
    );
  for (const field of ["once", "async"] as const)
    if (entry[field]) problems.push(problem("E_HANDLER_UNSUPPORTED", `${path}.${field}`));
  if (entry.answers === "strict") problems.push(problem("E_HANDLER_UNSUPPORTED", `${path}.answers`));
  const matcher = matcherOf(matcherText, event, path, problems);
  const rules = rulesOf(entry.if, path, problems);
  if (!run || problems.slice(before).some((found) => found.code.startsWith("E_"))) return undefined;
  return {
    id: entry.id,
    event,
    matcher,
    if: rules,
    run,
    may: sorted((entry.may as May[] | undefined) ?? row.defaultMay), // the schema's enum is May
    timeoutMs: entry.timeout === undefined ? row.defaultTimeoutMs : Math.max(1, Math.round(entry.timeout * 1000)),
    failMode: entry.failMode ?? "open",
    once: false,
    async: false,
    answers: "lenient",
    outputLimit: entry.outputLimit ?? DEFAULT_OUTPUT_LIMIT,
    before: sorted(entry.before ?? []),
    after: sorted(entry.after ?? []),
    ...(entry.statusMessage === undefined ? {} : { statusMessage: entry.statusMessage }),
  };
}

function runOf(entry: HandlerEntry, path: string, problems: Problem[]): Run | undefined {
  if (entry.type === "module")
    return {
      type: "module",
      path: entry.module.replace(/^\.\//, ""),
      export: "default",
      isolate: entry.isolate ?? "worker",
    };
  const { argv, command } = entry;
  if ((argv === undefined) === (command === undefined)) {
    problems.push(problem("E_FIELD_VALUE", `${path}`, "a command handler has either argv or command"));
    return undefined;
  }
  const texts = argv ?? [command ?? ""];
  for (const part of texts)
    for (const miss of placeholderMisses(part, argv ? "data" : "shell"))
      problems.push(problem("E_PLACEHOLDER", path, miss.found, miss.meant));
  return argv
    ? { type: "command", argv: argv.map(foldPlaceholders) }
    : { type: "command", shell: foldPlaceholders(command ?? "") };
}

function matcherOf(text: string | undefined, event: EventName, path: string, problems: Problem[]) {
  const row = eventRow(event);
  if (row.matches === null) return null;
  try {
    const matcher = parseMatcher(text);
    if (row.matches === "tool")
      problems.push(...matcherProblems(matcher, `${path.replace(/\.hooks\[\d+\]$/, "")}.matcher`));
    return matcher;
  } catch (error) {
    problems.push(
      problem("E_MATCHER_REGEX", `${path}: matcher`, error instanceof Error ? error.message.slice(0, 200) : ""),
    );
    return null;
  }
}

function rulesOf(asked: string | string[] | undefined, path: string, problems: Problem[]): PermissionRule[] {
  const rules = (asked === undefined ? [] : [asked].flat()).flatMap((text) => {
    const rule = parsePermissionRule(text);
    if (!rule) problems.push(problem("E_RULE", `${path}.if`, text.slice(0, 200), "Bash(git push*)"));
    return rule ? [rule] : [];
  });
  return rules.sort((a, b) =>
    Buffer.compare(Buffer.from(`${a.tool}\0${a.pattern}`), Buffer.from(`${b.tool}\0${b.pattern}`)),
  );
}

function handlerProblems(handler: Handler, path: string): Problem[] {
  const row = eventRow(handler.event);
  const problems = handler.may
    .filter((may) => !row.may.includes(may))
    .map((may) => problem("E_MAY_EVENT", `${path}.may`, `${may} on ${handler.event}`));
  const cancels = handler.may.includes("cancel");
  if (handler.failMode === "closed" && (!cancels || row.kind === "notice" || handler.async))
    problems.push(problem("E_CLOSED_WITHOUT_CANCEL", path));
  if (handler.failMode === "open" && cancels) problems.push(problem("W_GUARD_OPEN", path, handler.id));
  return problems;
}
