import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "@hookpkg/protocol";

test("the page lists the addresses of the contract, all and no other", () => {
  const page = readFileSync(join(import.meta.dir, "README.md"), "utf8");
  const listed = [...page.matchAll(/^\| `((?:GET|PUT|POST) [^`]+)` \|/gm)].map(([, address]) => `${address}`);
  expect(listed.toSorted()).toEqual(
    Object.values(ROUTES)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
});
