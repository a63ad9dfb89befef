import { expect, test } from "bun:test";
import { ANSWERED, addressOf, ROUTES, refuseRequest } from "./index.ts";

test("addresses are filled in and escaped", () => {
  expect(addressOf("publish", { scope: "acme", name: "no-rm", version: "1.0.0-a" })).toBe(
    "/v1/packages/acme/no-rm/1.0.0-a",
  );
  expect(addressOf("scope", { scope: "../x" })).toBe("/v1/scopes/..%2Fx");
});

test("no two routes share method and address", () => {
  const addresses = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("every answered code has a status and a sentence of its own", () => {
  for (const [code, { status, sentence }] of Object.entries(ANSWERED)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(refuseRequest(code as keyof typeof ANSWERED).message).toBe(sentence);
  }
});
