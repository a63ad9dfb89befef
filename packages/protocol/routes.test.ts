import { expect, test } from "bun:test";
import { ANSWERED, addressOf, ROUTES, refuseRequest, releaseLeaf, scopeLeaf } from "./index.ts";

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

test("log entries are canonical", () => {
  const digest = `sha256:${"0".repeat(64)}` as const;
  expect(new TextDecoder().decode(releaseLeaf("@acme/no-rm", "1.0.0", digest))).toBe(
    `{"kind":"release","statement":"${digest}","subject":"@acme/no-rm@1.0.0","v":1}`,
  );
  expect(new TextDecoder().decode(scopeLeaf("@acme", 0, digest))).toBe(
    `{"kind":"scope","statement":"${digest}","subject":"@acme/0","v":1}`,
  );
});
