import type { Answer, EventName } from "@hookpkg/spec";
import type { Hook, HookContext, Storage } from "./hook.ts";
import type { HookEvent } from "./payload.ts";

/** One file of `test/cases/`. `input` is the event's payload; what it leaves out gets the defaults below. */
export type HookCase = {
  name: string;
  event: EventName;
  input: Readonly<Record<string, unknown>>;
  options?: Readonly<Record<string, unknown>>;
  want: { answer: Answer["answer"]; reasonIncludes?: string; patch?: Readonly<Record<string, unknown>> };
};

/** `problem` says in one line what was wanted and what came; undefined when the case holds. `emitted`: what it told, heard by nobody. */
export type CaseResult = {
  answer: Answer;
  problem: string | undefined;
  emitted: readonly { name: string; data: unknown }[];
};

const DEFAULTS = { session_id: "case", transcript_path: "/dev/null", cwd: "/home/dev/work/app" };

/** Runs a handler on a case, without a sandbox: for an author's own `bun test`. `hookpkg test` runs the same file in one. */
export async function runCase<E extends HookEvent>(
  hook: Hook<E>,
  test: HookCase,
  given: Partial<HookContext> = {},
): Promise<CaseResult> {
  const payload = { ...DEFAULTS, ...test.input, hook_event_name: test.event };
  const emitted: { name: string; data: unknown }[] = [];
  const ctx: HookContext = {
    host: "native",
    project: payload.cwd,
    session: payload.session_id,
    turn: undefined,
    event: test.event,
    recheck: false,
    options: test.options ?? {},
    env: {},
    signal: new AbortController().signal,
    log: () => {},
    fetch: () => Promise.reject(Object.assign(new Error("a case has no network"), { code: "E_CAPABILITY" })),
    complete: () => Promise.reject(Object.assign(new Error("a case has no model"), { code: "E_CAPABILITY" })),
    emit: async (name, data = null) => void emitted.push({ name, data }),
    storage: memory(),
    ...given,
  };
  // The author wrote the case's input for this event: its shape is what the test is about.
  const answer = (await hook(payload as unknown as E, ctx)) ?? { answer: "continue" };
  return { answer, problem: problemWith(answer, test.want), emitted };
}

/** Empty at the beginning of every case. */
function memory(): Storage {
  const kept = new Map<string, unknown>();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, structuredClone(value ?? null)),
    delete: async (key) => kept.delete(key),
    list: async (prefix = "") => [...kept.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}

function problemWith(answer: Answer, want: HookCase["want"]): string | undefined {
  if (answer.answer !== want.answer) return `wanted ${want.answer}, got ${JSON.stringify(answer)}`;
  const reason = "reason" in answer ? answer.reason : "";
  if (want.reasonIncludes !== undefined && !reason.includes(want.reasonIncludes)) {
    return `wanted a reason with ${JSON.stringify(want.reasonIncludes)}, got ${JSON.stringify(reason)}`;
  }
  const fields = "fields" in answer ? answer.fields : undefined;
  if (want.patch !== undefined && !Bun.deepEquals(fields, want.patch)) {
    return `wanted the patch ${JSON.stringify(want.patch)}, got ${JSON.stringify(fields)}`;
  }
  return undefined;
}
