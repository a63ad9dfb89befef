import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sharedPlaces } from "@hookpkg/hosts";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";
import { launchMend } from "./shared-launch.ts";

const HOME = "/home/ana";
const having = (...programs: string[]) => ({ home: HOME, isProgram: (path: string) => programs.includes(path) });

test("wherever a project's entry looks, hookpkg is found; elsewhere it is linked there", () => {
  for (const place of sharedPlaces(HOME)) expect(launchMend(having(place))).toBeUndefined();
  const mend = launchMend(having("/opt/hookpkg", "/home/ana/bin/hookpkg"));
  expect(mend).toContain("mkdir -p /home/ana/.local/bin && ln -sf ");
  expect(mend).toEndWith("hookpkg /home/ana/.local/bin/hookpkg");
  expect(launchMend({ ...having(), home: undefined })).toEndWith(" /usr/local/bin/hookpkg");
});

test("attach --shared says what keeps its entries from hookpkg on this machine, in a line to be copied", async () => {
  using base = temporaryFolder();
  mkdirSync(join(base.path, "p", ".hookpkg"), { recursive: true });
  const mend = launchMend(); // this machine's own
  const words = ["attach", "claude-code", "--shared", "--project", join(base.path, "p")];
  const { result } = await hookpkgJson(base.path, ...words);
  expect(result).toMatchObject({ data: { hosts: [{ state: "attached", ...(mend === undefined ? {} : { mend }) }] } });
  const { out } = await hookpkg(base.path, ...words);
  expect(out.includes("NOT ACTIVE here")).toBe(mend !== undefined);
  if (mend !== undefined) expect(out.split("\n").map((line) => line.trim())).toContain(mend);
  const personal = await hookpkgJson(base.path, "attach", "claude-code");
  expect(personal.result).not.toMatchObject({ data: { hosts: [{ mend: expect.anything() }] } });
}, 120_000);
