import type { May } from "./answer.ts";
import { type Capabilities, sorted } from "./capability.ts";
import { type EventName, eventRow, foldEvent, meantEvent, NOTICE_TIMEOUT_MS } from "./event.ts";
import type { Handler, PermissionRule, Run } from "./handler.ts";
import { type HandlerEntry, type HooksFile, MAX_TIMEOUT_S } from "./hooks-file.ts";
import { httpProblems, httpRun } from "./http-run.ts";
import { matcherProblems, parseMatcher, valueProblems } from "./matcher.ts";
import { modelProblems, modelTimeoutMs, sayable } from "./model-run.ts";
import { moduleProblems } from "./module-imports.ts";
import type { SourceFiles } from "./package.ts";
import { parsePermissionRule } from "./permission-rule.ts";
import { foldPlaceholders, placeholderMisses } from "./placeholder.ts";
import { isError, type Problem, problem } from "./problem.ts";
import { programProblems } from "./program-files.ts";

export type Sources = readonly { file: string; hooks: HooksFile }[];

export const DEFAULT_OUTPUT_LIMIT = 10_000;

/** What handlers are declared in. `executable`: paths with the x bit, `rights`: what the package asks for; absent where not known. */
export type Surroundings = {
  files: SourceFiles;
  executable?: ReadonlySet<string> | undefined;
  rights?: Capabilities | undefined;
};

/** Handlers in the order they stand, every default filled in; what is wrong with them goes to `problems`. */
export function declaredHandlers(
  sources: Sources,
  { files, executable, rights }: Surroundings,
  problems: Problem[],
): Handler[] {
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
          const before = problems.length;
          const handler = fill(entry, { event, matcherText: group.matcher, path }, problems);
          if (!handler) continue;
          if (!problems.slice(before).some(isError)) handlers.push(handler);
          problems.push(...handlerProblems(handler, path), ...moduleProblems(handler, files, path));
          problems.push(...modelProblems(handler, path));
          problems.push(...programProblems(handler, files, path, executable));
          if (rights !== undefined) problems.push(...httpProblems(handler, rights, path));
        }
    }
  return handlers;
}

/** What is wrong with the name of an event, with what was likely meant; undefined when a host may fire it. */
export function eventProblem(spelling: string, path: string): Problem | undefined {
  const meant = meantEvent(spelling);
  if (meant === undefined && foldEvent(spelling) !== undefined) return undefined;
  return problem("E_EVENT_UNKNOWN", path, undefined, meant);
}

function eventOf(spelling: string, path: string, problems: Problem[]): EventName | undefined {
  const wrong = eventProblem(spelling, path);
  if (!wrong) return foldEvent(spelling);
  problems.push(wrong);
  return wrong.suggestion === undefined ? undefined : foldEvent(wrong.suggestion); // what else is wrong with its handlers
}

function fill(
  entry: HandlerEntry,
  { event, matcherText, path }: { event: EventName; matcherText: string | undefined; path: string },
  problems: Problem[],
): Handler | undefined {
  const row = eventRow(event);
  const isObserver = entry.async ?? false;
  const isUnwaited = isObserver || row.kind === "notice";
  const stageMs = modelTimeoutMs(entry) ?? row.defaultTimeoutMs;
  const defaultMs = !isUnwaited ? stageMs : row.kind === "stage" ? NOTICE_TIMEOUT_MS : row.defaultTimeoutMs;
  const run = runOf(entry, path, problems);
  if (entry.timeout !== undefined && entry.timeout > MAX_TIMEOUT_S)
    problems.push(
      entry.timeout >= 1000
        ? problem("E_TIMEOUT_UNIT", `${path}.timeout`, `${entry.timeout}`, `${entry.timeout / 1000}`)
        : problem("E_FIELD_VALUE", `${path}.timeout`, `at most ${MAX_TIMEOUT_S} seconds`),
    );
  const matcher = matcherOf(matcherText, event, path, problems);
  const rules = rulesOf(entry.if, event, path, problems);
  if (!run) return undefined;
  return {
    id: entry.id,
    event,
    matcher,
    if: rules,
    run,
    may: sorted((entry.may as May[] | undefined) ?? (isObserver ? [] : sayable(entry, row.defaultMay))), // the schema's enum is May
    timeoutMs: entry.timeout === undefined ? defaultMs : Math.max(1, Math.round(entry.timeout * 1000)),
    failMode: entry.failMode ?? "open",
    once: entry.once ?? false,
    async: isObserver,
    answers: entry.answers ?? "lenient",
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
  if (entry.type === "service") {
    problems.push(...placeholderProblems(entry.argv, "data", path));
    return { type: "service", argv: entry.argv.map(foldPlaceholders) };
  }
  if (entry.type === "http") return httpRun(entry, path, problems);
  if (entry.type === "prompt" || entry.type === "agent")
    return { type: entry.type, prompt: entry.prompt, model: entry.model ?? "small" };
  const { argv, command } = entry;
  if ((argv === undefined) === (command === undefined)) {
    problems.push(problem("E_FIELD_VALUE", `${path}`, "a command handler has either argv or command"));
    return undefined;
  }
  problems.push(...placeholderProblems(argv ?? [command ?? ""], argv ? "data" : "shell", path));
  return argv
    ? { type: "command", argv: argv.map(foldPlaceholders) }
    : { type: "command", shell: foldPlaceholders(command ?? "") };
}

function placeholderProblems(texts: readonly string[], use: "data" | "shell", path: string): Problem[] {
  const misses = texts.flatMap((part) => placeholderMisses(part, use));
  return misses.map((miss) => problem("E_PLACEHOLDER", path, miss.found, miss.meant));
}

function matcherOf(text: string | undefined, event: EventName, path: string, problems: Problem[]) {
  const row = eventRow(event);
  if (row.matches === null) return null;
  try {
    const matcher = parseMatcher(text);
    const place = `${path.replace(/\.hooks\[\d+\]$/, "")}.matcher`;
    problems.push(
      ...(row.matches === "tool" ? matcherProblems(matcher, place) : valueProblems(matcher, row.values, place)),
    );
    return matcher;
  } catch (error) {
    problems.push(
      problem("E_MATCHER_REGEX", `${path}: matcher`, error instanceof Error ? error.message.slice(0, 200) : ""),
    );
    return null;
  }
}

function rulesOf(
  asked: string | string[] | undefined,
  event: EventName,
  path: string,
  problems: Problem[],
): PermissionRule[] {
  // A rule is about a call; where there is none it would never hold, and its handler never run.
  if (asked !== undefined && eventRow(event).matches !== "tool")
    problems.push(problem("E_RULE", `${path}.if`, `${event} is no tool call`));
  const rules = (asked === undefined ? [] : [asked].flat()).flatMap((text) => {
    const rule = parsePermissionRule(text);
    if (!rule) problems.push(problem("E_RULE", `${path}.if`, text.slice(0, 200), "Bash(git push*)"));
    return rule ? [rule] : [];
  });
  return rules.sort((a, b) =>
    Buffer.compare(Buffer.from(`${a.tool}\0${a.pattern}`), Buffer.from(`${b.tool}\0${b.pattern}`)),
  );
}

/** The host is about to go, and gives no more. */
const MAX_ENDING_MS = 1000;

function handlerProblems(handler: Handler, path: string): Problem[] {
  const row = eventRow(handler.event);
  const answers = handler.async ? [] : row.may;
  const who = handler.async ? "an observer of " : "";
  const problems = handler.may
    .filter((may) => !answers.includes(may))
    .map((may) => problem("E_MAY_EVENT", `${path}.may`, `${may} on ${who}${handler.event}`));
  const cancels = handler.may.includes("cancel");
  const isClosed = handler.failMode === "closed";
  const isToolCall = row.kind === "stage" && row.matches === "tool";
  if (handler.once && (isClosed || (cancels && isToolCall))) problems.push(problem("E_ONCE_GUARD", path, handler.id));
  if (isClosed && (!cancels || row.kind === "notice" || handler.async))
    problems.push(problem("E_CLOSED_WITHOUT_CANCEL", path));
  if (!isClosed && cancels) problems.push(problem("W_GUARD_OPEN", path, handler.id));
  if (handler.event === "SessionEnd" && handler.timeoutMs > MAX_ENDING_MS)
    problems.push(
      problem("W_TIMEOUT_CLAMPED", `${path}.timeout`, `${handler.timeoutMs / 1000}`, `${MAX_ENDING_MS / 1000}`),
    );
  return problems;
}
