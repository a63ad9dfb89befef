import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import type { Scope } from "@hookpkg/spec";
import { openEnvelope, openRelease, type PayloadType, type PublicKey, verifyScopeChain } from "./index.ts";

type Attack = { name: string; description: string; want: string } & (
  | { do: "open"; type: PayloadType; allowed: PublicKey[]; envelope: unknown }
  | { do: "chain"; scope: Scope; envelopes: unknown[] }
  | { do: "release"; scope: Scope; envelopes: unknown[]; at: string; envelope: unknown }
);

const folder = join(import.meta.dir, "../../fixtures/attacks/signing");
const attacks: Attack[] = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));

describe("attacks on what is signed", () => {
  test("there are some", () => expect(attacks.length).toBeGreaterThan(80));

  test.each(attacks)("$name", async (attack) => {
    expect(await codeOf(() => tried(attack))).toBe(attack.want);
  });
});

async function tried(attack: Attack): Promise<unknown> {
  if (attack.do === "open") return openEnvelope(attack.envelope, attack.type, attack.allowed);
  const state = await verifyScopeChain(attack.envelopes, attack.scope);
  return attack.do === "chain" ? state : openRelease(attack.envelope, state, new Date(attack.at));
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "";
}
