import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decisionSchema } from "@hookpkg/spec";
import { z } from "zod";
import { HOSTS, hostNamed } from "./index.ts";

const fixtures = join(import.meta.dir, "../../fixtures");
const folder = join(fixtures, "vectors/hosts");
const reply = z.strictObject({ exit: z.int(), stdout: z.string(), stderr: z.string() });
/** "documented": no program was there to be seen, and event and answer are what its documents or its source say. */
const source = z.literal("documented").optional();
const vectorSchema = z.strictObject({
  host: z.string(),
  source,
  capture: z.string(),
  decision: decisionSchema,
  want: reply,
});
const vectors = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => [file, vectorSchema.parse(JSON.parse(readFileSync(join(folder, file), "utf8")))] as const);

/** Codex's own schemas are closed, one an event: a field more and the answer counts for nothing. */
const text = z.string().regex(/\S/);
const block = { decision: z.literal("block").optional(), reason: text.optional() };
const end = { continue: z.literal(false).optional(), stopReason: text.optional() };
const contextOf = (event: string) => z.strictObject({ hookEventName: z.literal(event), additionalContext: text });
const closed = (fields: z.core.$ZodShape) => z.strictObject({ ...fields, systemMessage: text.optional() });
const codexAnswers: Readonly<Record<string, z.ZodType>> = {
  PreToolUse: closed({
    ...block,
    hookSpecificOutput: z
      .union([
        z.strictObject({
          hookEventName: z.literal("PreToolUse"),
          permissionDecision: z.literal("deny"),
          permissionDecisionReason: text,
          additionalContext: text.optional(),
        }),
        z.strictObject({
          hookEventName: z.literal("PreToolUse"),
          permissionDecision: z.literal("allow"),
          updatedInput: z.looseObject({}),
          additionalContext: text.optional(),
        }),
        contextOf("PreToolUse"),
      ])
      .optional(),
  }),
  PermissionRequest: closed({
    hookSpecificOutput: z
      .strictObject({
        hookEventName: z.literal("PermissionRequest"),
        decision: z.union([
          z.strictObject({ behavior: z.literal("allow") }),
          z.strictObject({ behavior: z.literal("deny"), message: text }),
        ]),
      })
      .optional(),
  }),
  PostToolUse: closed({ ...block, hookSpecificOutput: contextOf("PostToolUse").optional() }),
  UserPromptSubmit: closed({ ...block, hookSpecificOutput: contextOf("UserPromptSubmit").optional() }),
  SessionStart: closed({ ...end, hookSpecificOutput: contextOf("SessionStart").optional() }),
  SubagentStart: closed({ hookSpecificOutput: contextOf("SubagentStart").optional() }),
  Stop: closed({ ...block, ...end }),
  SubagentStop: closed({ ...block, ...end }),
  PreCompact: closed(end),
};

describe("decisions as each host obeys them", () => {
  test("there are vectors of every host", () => {
    expect([...new Set(vectors.map(([, { host }]) => host))].sort()).toEqual(HOSTS.map(({ name }) => name).toSorted());
  });

  test.each(vectors)("%s", (_, { host, capture, decision, want }) => {
    const adapter = hostNamed(host);
    const event = adapter?.read(readFileSync(join(fixtures, "captures", capture)));
    expect(event && adapter?.write(event, decision)).toEqual(want);
  });
});

type Sent = { decision?: string; hookSpecificOutput?: { hookEventName?: string } };

test("hosts that were never run have vectors that say so, and only they", () => {
  const documented = new Set(vectors.filter(([, { source }]) => source).map(([, { host }]) => host));
  expect([...documented].sort()).toEqual(["astracode", "cursor", "peri"]);
  expect(vectors.every(([, { host, source }]) => documented.has(host) === (source !== undefined))).toBe(true);
});

describe("what no host may be sent", () => {
  const answers = vectors.flatMap(([file, { host, capture, want }]) =>
    want.stdout === "" ? [] : [[file, host, want.stdout, eventOf(capture)] as const],
  );

  test.each(answers)("%s is one line of JSON", (_, __, stdout) => {
    expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
    expect(typeof JSON.parse(stdout)).toBe("object");
  });

  test.each(answers.filter(([, host]) => host === "codex"))("%s fits Codex's closed schema", (_, __, stdout, event) => {
    expect(codexAnswers[event]?.safeParse(JSON.parse(stdout))).toMatchObject({ success: true });
  });

  test.each(answers.filter(([, host]) => host === "claude-code"))(
    "%s names its event and no void verdict",
    (_, __, stdout, event) => {
      const answer: Sent = JSON.parse(stdout);
      expect([undefined, "block"]).toContain(answer.decision);
      if (answer.hookSpecificOutput) expect(answer.hookSpecificOutput.hookEventName).toBe(event);
    },
  );

  test.each(answers.filter(([, host]) => host === "gemini-cli"))(
    "%s has its verdict at the top",
    (_, __, stdout, event) => {
      const answer: Sent = JSON.parse(stdout);
      expect([undefined, "block", "deny", "ask"]).toContain(answer.decision);
      expect(stdout).not.toContain("permissionDecision");
      if (answer.hookSpecificOutput) expect(answer.hookSpecificOutput.hookEventName).toBe(event);
    },
  );

  test.each(answers.filter(([, host]) => host === "qwen-code"))("%s lifts nobody's refusal", (_, __, stdout, event) => {
    const answer: Sent = JSON.parse(stdout);
    expect(stdout).not.toContain('"permissionDecision":"allow"');
    expect(stdout).not.toContain("updatedInput");
    if (event === "PreToolUse" && answer.decision === "block") expect(stdout).toContain('"continue":false');
  });

  test.each(answers.filter(([, host]) => host === "astracode"))(
    "%s holds nothing that voids it",
    (_, __, stdout, event) => {
      if (event !== "PreToolUse") return;
      for (const void_ of ['"allow"', '"ask"', "updatedInput", "additionalContext", '"continue"', "stopReason"])
        expect(stdout).not.toContain(void_);
    },
  );

  test.each(answers.filter(([, host]) => host === "cline"))("%s stops a call by cancel alone", (_, __, stdout) => {
    expect(Object.keys(JSON.parse(stdout)).sort().join()).toMatch(
      /^(?:cancel,errorMessage|contextModification|overrideInput)$/,
    );
  });

  test.each(answers.filter(([, host]) => host === "native"))("%s is a decision", (_, __, stdout) => {
    expect(decisionSchema.safeParse(JSON.parse(stdout)).success).toBe(true);
  });
});

describe("every decision at every event of Codex fits its closed schemas", () => {
  const capture = JSON.parse(readFileSync(join(fixtures, "captures/codex/PreToolUse.json"), "utf8"));
  const more = { prompt: "p", source: "startup", trigger: "auto", agent_id: "a", agent_type: "t" };
  const base = { v: 1, person: ["p"], context: "c", reason: "r", handlers: [] } as const;

  test.each(Object.keys(codexAnswers))("%s", (event) => {
    const codex = hostNamed("codex");
    const read = codex?.read({ ...capture, ...more, hook_event_name: event });
    for (const decision of ["continue", "cancel", "ask", "allow", "end"] as const)
      for (const extra of [{}, { reason: "" }, { context: "" }, { person: [] }, { patch: { prompt: "x" } }]) {
        const stdout = read && codex?.write(read, { ...base, decision, ...extra }).stdout;
        if (stdout) expect(codexAnswers[event]?.safeParse(JSON.parse(stdout))).toMatchObject({ success: true });
      }
  });
});

function eventOf(capture: string): string {
  return JSON.parse(readFileSync(join(fixtures, "captures", capture), "utf8")).hook_event_name;
}
