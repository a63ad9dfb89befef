import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decisionSchema } from "@hookpkg/spec";
import { z } from "zod";
import { hostNamed } from "./index.ts";

const fixtures = join(import.meta.dir, "../../fixtures");
const folder = join(fixtures, "vectors/hosts");
const reply = z.strictObject({ exit: z.int(), stdout: z.string(), stderr: z.string() });
const vectorSchema = z.strictObject({ host: z.string(), capture: z.string(), decision: decisionSchema, want: reply });
const vectors = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => [file, vectorSchema.parse(JSON.parse(readFileSync(join(folder, file), "utf8")))] as const);

/** Codex's own schemas for these two events are closed: one field more and the answer counts for nothing. */
const text = z.string().regex(/\S/);
const codexAnswer = z.strictObject({
  decision: z.literal("block").optional(),
  reason: text.optional(),
  systemMessage: text.optional(),
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
      z.strictObject({ hookEventName: z.enum(["PreToolUse", "PostToolUse"]), additionalContext: text }),
    ])
    .optional(),
});

describe("decisions as each host obeys them", () => {
  test("there are vectors of every host", () => {
    expect([...new Set(vectors.map(([, { host }]) => host))].sort()).toEqual(["claude-code", "codex", "native"]);
  });

  test.each(vectors)("%s", (_, { host, capture, decision, want }) => {
    const adapter = hostNamed(host);
    const event = adapter?.read(readFileSync(join(fixtures, "captures", capture)));
    expect(event && adapter?.write(event, decision)).toEqual(want);
  });
});

describe("what no host may be sent", () => {
  const answers = vectors.flatMap(([file, { host, want }]) =>
    want.stdout === "" ? [] : [[file, host, want.stdout] as const],
  );

  test.each(answers)("%s is one line of JSON", (_, __, stdout) => {
    expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
    expect(typeof JSON.parse(stdout)).toBe("object");
  });

  test.each(answers.filter(([, host]) => host === "codex"))("%s fits Codex's closed schema", (_, __, stdout) => {
    expect(codexAnswer.safeParse(JSON.parse(stdout)).error).toBeUndefined();
  });

  test.each(answers.filter(([, host]) => host === "claude-code"))(
    "%s names its event and no void verdict",
    (_, __, stdout) => {
      const answer: { decision?: string; hookSpecificOutput?: { hookEventName?: string } } = JSON.parse(stdout);
      expect([undefined, "block"]).toContain(answer.decision);
      if (answer.hookSpecificOutput)
        expect(["PreToolUse", "PostToolUse"]).toContain(answer.hookSpecificOutput.hookEventName ?? "");
    },
  );

  test.each(answers.filter(([, host]) => host === "native"))("%s is a decision", (_, __, stdout) => {
    expect(decisionSchema.safeParse(JSON.parse(stdout)).success).toBe(true);
  });
});
