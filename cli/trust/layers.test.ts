import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, temporaryFolder } from "../author/test-program.ts";
import { approveAll, eventText, guardCode, waiting, withStdin } from "./test-project.ts";

setDefaultTimeout(120_000);

/** A person's own and a project's own unpublished hooks. */
function layer(folder: string, id: string, word: string): void {
  mkdirSync(folder, { recursive: true });
  const handler = { id, type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
  writeFileSync(join(folder, "hooks.json"), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }));
  writeFileSync(join(folder, "guard.ts"), guardCode(word));
}

test("layers are listed, approved by their identity and run like packages; a change of one's own folder waits", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "init");
  layer(join(base.path, "home/config/hooks"), "mine", "dd of=");
  layer(join(base.path, ".hookpkg/hooks"), "ours", "mkfs");
  const listed = async () => (await waiting(base.path)).map(({ handler }) => handler);
  expect(await listed()).toEqual(["layer:user#mine", "layer:project#ours"]);
  await approveAll(base.path);
  expect(await listed()).toEqual([]);
  const said = async (command: string) =>
    JSON.parse((await withStdin(base.path, ["run", "native"], { stdin: eventText(base.path, command) })).out);
  expect(await said("dd of=/dev/sda")).toMatchObject({ decision: "cancel", reason: "layer:user#mine: no dd of= here" });
  expect(await said("mkfs /dev/sda")).toMatchObject({ decision: "cancel", reason: "layer:project#ours: no mkfs here" });
  layer(join(base.path, "home/config/hooks"), "mine", "nothing");
  expect(await listed()).toEqual(["layer:user#mine"]);
  expect((await said("dd of=/dev/sda")).decision).toBe("cancel");
  const list = await hookpkg(base.path, "list");
  expect(list.out).toContain("layer:user your own, for all of your projects");
  expect(list.out).toContain("layer:project .hookpkg/hooks");
  writeFileSync(join(base.path, ".hookpkg/hooks/hooks.json"), "garbage");
  for (const look of ["list", "status"])
    expect((await hookpkg(base.path, look)).out.replaceAll(/\s+/g, " ")).toContain("E_PACKAGE_INVALID");
  expect((await said("mkfs /dev/sda")).decision).toBe("cancel");
  const key = join(base.path, "ci.key");
  expect(await hookpkg(base.path, "disable", "layer:user#mine", "--key", key)).toMatchObject({ code: 0 });
  expect((await said("dd of=/dev/sda")).decision).toBe("continue");
});
