import { afterEach, expect, test } from "bun:test";
import { chownSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, makeFolder } from "./home.ts";
import { sweepScratch, temporary } from "./test-project.ts";

afterEach(sweepScratch);

const passwordHome = readFileSync("/etc/passwd", "utf8")
  .split("\n")
  .find((line) => line.split(":")[2] === `${process.getuid?.()}`)
  ?.split(":")[5];

test("the home is the password database's, whatever the environment says", () => {
  const code = `import { homeFolders } from "${import.meta.dir}/home.ts"; console.log(JSON.stringify(homeFolders()))`;
  const elsewhere = temporary();
  const env = { HOME: elsewhere, XDG_CONFIG_HOME: elsewhere, XDG_STATE_HOME: elsewhere, XDG_DATA_HOME: elsewhere };
  const home = JSON.parse(Bun.spawnSync([process.execPath, "-e", code], { env }).stdout.toString());
  expect(home).toEqual({
    base: passwordHome,
    config: `${passwordHome}/.config/hookpkg`,
    state: `${passwordHome}/.local/state/hookpkg`,
    data: `${passwordHome}/.local/share/hookpkg`,
    cache: `${passwordHome}/.cache/hookpkg`,
    store: `${passwordHome}/.local/share/hookpkg/store`,
  });
});

test("--home puts everything below one folder, made for its owner alone", () => {
  const base = join(temporary(), "new");
  const home = homeFolders(base);
  for (const folder of [home.config, home.state, home.data, home.cache]) {
    expect(makeFolder(home, folder)).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
  expect(statSync(makeFolder(home, home.store)).mode & 0o777).toBe(0o755);
  expect([home.config, home.store]).toEqual([join(base, "config"), join(base, "data/store")]);
});

test("a folder that is a link out of the home is refused; one inside it is not", () => {
  const base = temporary();
  mkdirSync(join(base, "kept"));
  symlinkSync(join(base, "kept"), join(base, "config"));
  expect(homeFolders(base).config).toBe(join(base, "config"));
  symlinkSync(temporary(), join(base, "state"));
  expect(() => homeFolders(base)).toThrow(expect.objectContaining({ code: "E_HOME_LINK" }));
});

test("a link to nowhere is not an absent folder", () => {
  const base = temporary();
  symlinkSync(join(base, "gone"), join(base, "data"));
  expect(() => homeFolders(base)).toThrow(expect.objectContaining({ code: "E_HOME_LINK" }));
});

test("another user's folder is refused", () => {
  // Only root can give a folder away; anybody else finds one that is root's.
  const base = process.getuid?.() === 0 ? temporary() : "/";
  if (base !== "/") {
    mkdirSync(join(base, "state"));
    chownSync(join(base, "state"), 65_534, 65_534);
    expect(() => homeFolders(base)).toThrow(expect.objectContaining({ code: "E_HOME_OWNER" }));
  } else expect(() => makeFolder(homeFolders("/"), "/usr")).toThrow(expect.objectContaining({ code: "E_HOME_OWNER" }));
});
