import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Payload } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { judgeOwn } from "./judge.ts";
import { placesOf } from "./places.ts";

type Case = { id: string; why: string; cwd?: string; tool: string; input: Readonly<Record<string, unknown>> };

const BASE = "/home/dev";
const ROOT = "/home/dev/work/app";
const home: Home = {
  base: BASE,
  config: `${BASE}/.config/hookpkg`,
  state: `${BASE}/.local/state/hookpkg`,
  data: `${BASE}/.local/share/hookpkg`,
  cache: `${BASE}/.cache/hookpkg`,
  store: `${BASE}/.local/share/hookpkg/store`,
};
const ground = { places: placesOf(home, [ROOT]), home: BASE };

function casesOf(file: string): Case[] {
  const path = join(import.meta.dir, "../../fixtures/builtin", file);
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function judge({ tool, input, cwd = ROOT }: Omit<Case, "id" | "why">): string | undefined {
  const payload: Payload = {
    ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd },
    ...{ tool_name: tool, tool_input: input },
  };
  return judgeOwn(payload, ground);
}

const label = (one: Case) =>
  [`${one.id} ${one.why}: ${one.tool} ${JSON.stringify(one.input).slice(0, 100)}`, one] as const;

test.each(casesOf("must-ask.jsonl").map(label))("asks: %s", (_, one) => {
  expect(judge(one)).toMatch(/^[^\n]{10,400}$/);
});

test.each(casesOf("must-pass.jsonl").map(label))("passes: %s", (_, one) => {
  expect(judge(one)).toBeUndefined();
});
