import { expect, test } from "bun:test";
import { declaredFaults, Fault, faultTable, isFault } from "./index.ts";

const refuse = faultTable({ E_TEST_ONLY: "this is a test" });

test("a fault carries code, sentence, facts and cause", () => {
  const cause = new Error("below");
  const fault = refuse("E_TEST_ONLY", { path: "a/b" }, cause);
  expect(fault).toBeInstanceOf(Fault);
  expect({ code: fault.code, message: fault.message, facts: fault.facts, cause: fault.cause }).toEqual({
    code: "E_TEST_ONLY",
    message: "this is a test",
    facts: { path: "a/b" },
    cause,
  });
  expect(isFault(fault, "E_TEST_ONLY")).toBe(true);
  expect(isFault(fault, "E_OTHER")).toBe(false);
});

test("a code is declared once", () => {
  expect(() => faultTable({ E_TEST_ONLY: "again" })).toThrow("declared twice");
  expect(declaredFaults().get("E_TEST_ONLY")).toBe("this is a test");
});
