import { expect, test } from "bun:test";
import { Fault } from "@hookpkg/fault";
import { parsePackage } from "@hookpkg/spec";
import { failure } from "./failure.ts";

function invalid(): unknown {
  try {
    return parsePackage(new Map([["hookpkg.json", new TextEncoder().encode('{"name":"@a/b","version":"1","x":1}')]]));
  } catch (error) {
    return error;
  }
}

test("a faulty package shows each of its problems with place and code", () => {
  const { lines, exit } = failure(invalid());
  expect(exit).toBe(1);
  for (const part of ["hookpkg.json: version", "hookpkg.json: x", "hooks/hooks.json", "[E_FIELD_UNKNOWN]"])
    expect(lines.join("\n")).toContain(part);
});

test.each([
  ["E_USAGE", 64],
  ["E_INTERRUPTED", 130],
  ["E_SANDBOX_NO_BWRAP", 6],
  ["E_SPLIT_VIEW", 5],
  ["E_LOG_FORKED", 5],
  ["E_LOG_INCLUSION", 4],
  ["E_VERIFY_TREE", 4],
  ["E_RELEASE_KEY", 4],
  ["E_SCOPE_THRESHOLD", 4],
  ["E_ENVELOPE_SIGNATURE", 4],
  ["E_SCOPE", 1],
  ["E_REGISTRY_UNREACHABLE", 1],
  ["E_KEY_PASSPHRASE", 1],
] as const)("%s ends in %d", (code, exit) => {
  expect(failure(new Fault(code, "x")).exit).toBe(exit);
});

test("an error of several lines is told in one, without signs for its line breaks", () => {
  const facts = { found: "line 1\n  at line 2\n", problems: [{ code: "E_IMPORT", path: "a.ts", detail: "x:\n y" }] };
  const { lines } = failure(new Fault("E_FIELD_VALUE", "x", facts));
  expect(lines[0]).toContain("(found: line 1 at line 2)");
  expect(lines.join("\n")).toContain("(x: y)");
  expect(lines.join("\n")).not.toContain("U+000A");
});

test("an error of our own shows no stack, and nothing from outside moves the cursor", () => {
  const { lines, json } = failure(new Error("boom\u001b[2J\u202e"));
  expect(lines[0]).toContain("[E_INTERNAL]");
  expect(lines.join("")).not.toMatch(/[\u001b\u202e]|at .*\.ts/);
  expect(json).toMatchObject({ ok: false, error: { code: "E_INTERNAL" } });
});
