import { type EventName, eventRow, foldEvent } from "@hookpkg/spec";
import type { HostAdapter } from "./adapter.ts";
import type { HookRules } from "./hook-rules.ts";
import { asRecord, type HostObject } from "./host-input.ts";
import { knownEvent } from "./reach.ts";

/** One hook as it stands in some settings of a host, whoever wrote it. */
export type ForeignHook = {
  event: string;
  matcher: string | null;
  type: string;
  command: string | null;
  timeout: number | null;
  fields: readonly string[];
  /** As it stands there; `group`: what stands beside its list. */
  entry: HostObject;
  group: HostObject;
};

export type HookProblem = {
  kind: "form" | "event" | "unit" | "matcher" | "answer" | "untrusted" | "duplicate" | "program" | "off";
  text: string;
};

const MAX_HOOKS = 2000;

/** Every hook of a settings file, and what in it is none. */
export function foreignHooks(settings: HostObject): { hooks: ForeignHook[]; problems: HookProblem[] } {
  const hooks: ForeignHook[] = [];
  const problems: HookProblem[] = [];
  const form = (text: string) => problems.push({ kind: "form", text });
  for (const [event, groups] of Object.entries(asRecord(settings.hooks) ?? {})) {
    if (["enabled", "disabled", "state"].includes(event)) continue; // switches, and Codex's own trust
    if (!Array.isArray(groups)) {
      form(`hooks.${event} is no list: none of it runs`);
      continue;
    }
    for (const group of groups) {
      const read = asRecord(group);
      const matcher = read?.matcher;
      const members = Array.isArray(read?.hooks)
        ? read.hooks
        : (read?.command ?? read?.bash) === undefined
          ? undefined
          : [read];
      if (read === undefined || members === undefined) form(`an entry of hooks.${event} is no group of hooks`);
      else if (matcher !== undefined && typeof matcher !== "string") form(`a matcher of hooks.${event} is no text`);
      for (const member of members ?? []) {
        const hook = asRecord(member);
        if (hook === undefined) form(`a hook of hooks.${event} is no object`);
        else if (hooks.length < MAX_HOOKS)
          hooks.push(
            hookOf(event, typeof matcher === "string" ? matcher : null, hook, read === hook ? {} : (read ?? {})),
          );
      }
    }
  }
  return { hooks, problems };
}

function hookOf(event: string, matcher: string | null, hook: HostObject, group: HostObject): ForeignHook {
  const { type } = hook;
  const command = hook.command ?? hook.bash; // Copilot's own words
  const timeout = hook.timeout ?? hook.timeoutSec;
  return {
    ...{ event, matcher },
    type: typeof type === "string" ? type : "command",
    command: typeof command === "string" ? command : null,
    timeout: typeof timeout === "number" ? timeout : null,
    fields: Object.keys(hook),
    ...{ entry: hook, group },
  };
}

/** Judged: what the host will make of it. `text`: the command and, where it is a script that can be read, the script. */
export type Judged = { adapter: HostAdapter; rules?: HookRules; text: string };

/** Why a hook never does what it was written for, by its host's own rules. */
export function hookProblems(hook: ForeignHook, { adapter, rules, text }: Judged): HookProblem[] {
  const event = knownEvent(adapter, hook.event);
  if (event === null || rules?.events?.includes(hook.event) === false)
    return [{ kind: "event", text: `${adapter.name} has no event ${hook.event}: it never runs` }];
  if (rules === undefined) return [];
  return [
    ...formProblems(hook, rules),
    ...unitProblems(hook, rules),
    ...matcherProblems(hook, event, rules),
    ...(isStage(event) ? answerProblems(hook, text, rules) : []),
  ];
}

function isStage(event: EventName | undefined): boolean {
  return event !== undefined && eventRow(event).may.includes("cancel");
}

function formProblems({ type, command, fields }: ForeignHook, rules: HookRules): HookProblem[] {
  const { host, types, dropped, skipped = [] } = rules;
  const found = fields.filter((field) => dropped.includes(field));
  const fatal = fields.filter((field) => skipped.includes(field));
  const texts = [
    ...(types.includes(type) ? [] : [`${host} runs no hooks of the type ${type}`]),
    ...(type === "command" && (command ?? "").trim() === "" ? ["it has no command"] : []),
    ...(found.length === 0 ? [] : [`${host} drops ${found.join(", ")} without a word`]),
    ...(fatal.length === 0 ? [] : [`${host} does not run a hook that has ${fatal.join(", ")}`]),
  ];
  return texts.map((text) => ({ kind: "form", text }));
}

function unitProblems({ timeout }: ForeignHook, { unit }: HookRules): HookProblem[] {
  if (timeout === null) return [];
  if (unit === "ms" && timeout < 1000)
    return [
      { kind: "unit", text: `its timeout is ${timeout} milliseconds here: it is always late, and the call goes on` },
    ];
  if (unit === "s" && timeout >= 1000) return [{ kind: "unit", text: `its timeout is ${timeout} seconds here` }];
  return [];
}

function matcherProblems(
  { matcher, event: named }: ForeignHook,
  event: EventName | undefined,
  { host, tools, matches, emptyIsNone }: HookRules,
): HookProblem[] {
  if (matcher === null || matcher === ".*" || event === undefined) return [];
  if (eventRow(event).matches !== "tool" || /mcp|^@/i.test(matcher)) return [];
  const isAll = ["", "*"].includes(matcher);
  if (isAll && emptyIsNone?.(named) !== true) return [];
  const fits = isAll ? [] : tools.map((tool) => matches(matcher, tool, named));
  if (fits.some((one) => one === true)) return [];
  const isUnread = fits.includes(undefined);
  return [
    {
      kind: "matcher",
      text: isUnread
        ? `${host} may not be able to read its matcher ${JSON.stringify(matcher)}`
        : `its matcher ${JSON.stringify(matcher)} fits no tool that ${host} is known to have: it never runs`,
    },
  ];
}

function answerProblems({ event }: ForeignHook, text: string, { lost }: HookRules): HookProblem[] {
  return lost
    .filter(({ at }) => at === undefined || at.test(event))
    .filter(({ sign, unless }) => sign.test(text) && unless?.test(text) !== true)
    .map(({ why }) => ({ kind: "answer", text: why }));
}

/** Hooks that stand there twice: both run. */
export function duplicatesIn<T extends { host: string; event: string; matcher: string | null; command: string | null }>(
  hooks: readonly T[],
): Set<T> {
  const seen = new Set<string>();
  const twice = new Set<T>();
  for (const hook of hooks) {
    if (hook.command === null) continue;
    const key = JSON.stringify([hook.host, foldEvent(hook.event) ?? hook.event, hook.matcher, hook.command]);
    if (seen.has(key)) twice.add(hook);
    seen.add(key);
  }
  return twice;
}
