import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import {
  isIdentity,
  isIntegrity,
  isPackageName,
  isSha256,
  isVersion,
  parseIntegrity,
  parsePackageName,
  parseRange,
  parseScope,
  parseVersion,
  refuseReserved,
  sha512Integrity,
} from "./index.ts";

const code = (work: () => unknown) => {
  try {
    work();
    return "accepted";
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
};

test.each(["@a/b", "@acme/no-rm", "@a1/9-x"])("%p is a package name", (name) => {
  expect(isPackageName(name)).toBe(true);
});

test.each([
  "",
  "a/b",
  "@a",
  "@a/",
  "@/b",
  "@A/b",
  "@a/B",
  "@a/b/c",
  "@-a/b",
  "@a/-b",
  "@a/../b",
  "@a/b\n",
  "@\u0430cme/b",
  "@a/__proto__",
  "@a/constructor\u0000",
  `@a/${"b".repeat(65)}`,
  "@a/b@1",
  "@a b/c",
])("%p is no package name", (name) => {
  expect(code(() => parsePackageName(name))).toBe("E_NAME");
});

test("a scope is a name of its own", () => {
  expect(parseScope("@acme")).toBe("@acme");
  expect(code(() => parseScope("acme"))).toBe("E_SCOPE");
  expect(code(() => parseScope("@acme/x"))).toBe("E_SCOPE");
});

test("nobody claims a name that stands for somebody else", () => {
  for (const name of ["@hookpkg", "@anthropic", "@acme/constructor"] as const)
    expect(code(() => refuseReserved(name))).toBe("E_NAME_RESERVED");
  expect(code(() => refuseReserved("@acme/guard"))).toBe("accepted");
});

test.each([
  "v1.0.0",
  " 1.0.0",
  "01.0.0",
  "1.0.0+a",
  "1.0",
  "1.0.0 ",
  "=1.0.0",
  "99999999999999999999.0.0",
  `1.0.0-${"a".repeat(300)}`,
  "latest",
  "",
])("%p is no version", (version) => {
  expect(isVersion(version)).toBe(false);
  expect(code(() => parseVersion(version))).toBe("E_VERSION");
});

test("a version in its one spelling is taken; a range has its own door", () => {
  expect(isVersion("1.2.3-beta.1")).toBe(true);
  expect(parseRange("^1.2")).toBe("^1.2");
  expect(code(() => parseRange("not a range"))).toBe("E_RANGE");
});

test("integrity is exactly one canonical sha512", () => {
  const good = sha512Integrity(new TextEncoder().encode("x"));
  expect(parseIntegrity(good)).toBe(good);
  const other = sha512Integrity(new TextEncoder().encode("y"));
  for (const bad of [
    `${good} ${other}`,
    `${good}?opt`,
    good.replace("sha512", "sha256"),
    good.slice(0, -3),
    "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
    `${good}\n`,
    good.replace(/.==$/, "B=="),
    "",
  ])
    expect({ bad, found: isIntegrity(bad) }).toEqual({ bad, found: false });
});

test("digests and identities have one spelling", () => {
  expect(isSha256(`sha256:${"a".repeat(64)}`)).toBe(true);
  expect(isSha256(`sha256:${"A".repeat(64)}`)).toBe(false);
  expect(isIdentity(`hk1:${"A".repeat(43)}`)).toBe(true);
  expect(isIdentity(`hk1:${"A".repeat(44)}`)).toBe(false);
});
