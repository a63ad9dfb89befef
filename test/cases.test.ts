import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type HandlerReport, parsePayload } from "@hookpkg/spec";
import { guardedBy, type HandlerText } from "./rules/guarded-project.ts";

setDefaultTimeout(60_000);

/** Every case of public reports that concerns the runtime, with the outcome that this product gives (fixtures/cases/README.md). */
type Want = {
  decision: string;
  /** A part of the reason. */
  reason?: string;
  outcomes: readonly string[];
  handlers?: readonly string[];
  patch?: object;
  noPatch?: true;
  /** All handlers said the same to the agent. */
  sameContext?: true;
};
type Try = {
  handlers: readonly HandlerText[];
  event?: Record<string, unknown>;
  padBytes?: number;
  canAsk?: boolean;
  host?: string;
  want: Want;
};
type Case = {
  id: string;
  severity: string;
  says: string;
  tries?: readonly Try[];
  coveredBy?: readonly { file: string; test: string }[];
  later?: string;
  note?: string;
};

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "fixtures/cases");
const cases: Case[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Case[]); // our own fixture

for (const { id, severity, says, tries = [] } of cases)
  for (const [n, one] of tries.entries())
    test(`${id} ${severity} ${says} (${n + 1} of ${tries.length})`, async () => {
      using project = await guardedBy(one.handlers);
      const { command = "ls", ...input } = (one.event?.tool_input ?? {}) as Record<string, unknown>; // the fixture's own
      const isPadded =
        one.padBytes === undefined ? {} : { tool_input: { ...input, command, note: "x".repeat(one.padBytes) } };
      const payload = parsePayload(project.event({ ...one.event, ...isPadded }));
      const { decision, reason, patch, handlers, context } = await project.send(payload, {
        canAsk: one.canAsk ?? true,
        host: one.host ?? "claude-code",
      });
      const { want } = one;
      const outcomes = handlers.map(outcomeOf);
      expect<unknown>({ decision, outcomes: outcomes.map((outcome, at) => alike(want.outcomes[at], outcome)) }).toEqual(
        {
          decision: want.decision,
          outcomes: want.outcomes.filter((outcome) => outcome !== "-" || handlers.length > 0),
        },
      );
      if (want.reason !== undefined) expect(reason).toContain(want.reason);
      if (want.handlers !== undefined) expect<unknown>(handlers.map(({ handler }) => handler)).toEqual(want.handlers);
      if (want.patch !== undefined) expect<unknown>(patch).toEqual(want.patch);
      if (want.noPatch) expect(patch).toBeUndefined();
      if (want.sameContext) {
        const said = [...(context ?? "").matchAll(/read (\d+)/g)].map(([, bytes]) => Number(bytes));
        expect(said).toEqual([JSON.stringify(payload).length + 1, JSON.stringify(payload).length + 1]);
      }
    });

test("every case says how it is covered, in one way, once", () => {
  const ways = cases.map(({ id, tries, coveredBy, later }) => [id, [tries, coveredBy, later].filter(Boolean).length]);
  expect(ways.filter(([, count]) => count !== 1)).toEqual([]);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});

test.each(
  cases.flatMap(({ id, coveredBy = [] }) => coveredBy.map(({ file, test: name }) => [id, file, name] as const)),
)("%s is covered by %s: %s", (_, file, name) => {
  expect(readFileSync(join(ROOT, file), "utf8")).toContain(name.replaceAll('"', '\\"'));
});

test("which cases are covered where", () => {
  const here = cases.filter(({ tries }) => tries !== undefined);
  const elsewhere = cases.filter(({ coveredBy }) => coveredBy !== undefined);
  const open = cases.filter(({ later }) => later !== undefined);
  console.log(`cases: ${here.length} run here, ${elsewhere.length} covered by other tests, ${open.length} later`);
  for (const { id, later } of open) console.log(`  ${id} later: ${later}`);
  expect(here.length + elsewhere.length + open.length).toBe(cases.length);
});

function outcomeOf({ matched, outcome, why, answer }: HandlerReport): string {
  return matched ? [outcome, why ?? answer].filter(Boolean).join(" ") : "-";
}

/** `failed *` stands for any cause. */
function alike(want: string | undefined, found: string): string {
  return want?.endsWith(" *") && found.startsWith(want.slice(0, -1)) ? want : found;
}
