import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { newSettings, readSettings, withGroups, withoutGroups } from "./settings-edit.ts";

const group = (command: string) => ({
  hooks: [{ type: "command", command, timeout: 600 }] as [Record<string, unknown>],
});
const ours = { PreToolUse: group("ours"), Stop: group("ours at the end") };
const json = { comments: false };
const jsonc = { comments: true };

async function code(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

const FILE = `{
  // why we have this model
  "model": "x", "odd":   [1,2],
  "permissions": {"allow":["a"]}, /* kept */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs" }] } // theirs
    ],
    "Notification": []
  }, "unknown": { "deep": { "er": null } } // last
}
`;

describe("entries in a person's settings", () => {
  test("stand last in their event, and every other byte is where it was", async () => {
    const text = await withGroups(FILE, ours, {}, jsonc);
    const settings = await readSettings(text, jsonc);
    expect(settings).toMatchObject({
      hooks: { PreToolUse: [{ matcher: "Bash" }, ours.PreToolUse], Stop: [ours.Stop] },
    });
    const lines = text.split("\n");
    for (const line of FILE.split("\n"))
      expect(lines.some((one) => one === line || one === line.replace(/(\}|\])( \/\/.*)?$/, "$1,$2"))).toBe(true);
    expect(await withoutGroups(text, ours, jsonc)).toBe(FILE);
  });

  test("are put there once", async () => {
    const text = await withGroups(FILE, ours, {}, jsonc);
    expect(await withGroups(text, ours, ours, jsonc)).toBe(text);
  });

  test("change in their place when they change, whatever was added behind them", async () => {
    const text = await withGroups(FILE, ours, {}, jsonc);
    const more = await withGroups(text, { PreToolUse: group("later") }, {}, jsonc);
    const moved = { ...ours, PreToolUse: group("moved") };
    const { hooks } = parse(await withGroups(more, moved, ours, jsonc));
    expect(hooks.PreToolUse.map((one: typeof ours.Stop) => one.hooks[0].command)).toEqual(["theirs", "moved", "later"]);
  });

  test("leave alone what looks like them and is not", async () => {
    const twin = JSON.stringify({ hooks: { Stop: [{ ...ours.Stop, matcher: "*" }] } });
    expect(await withoutGroups(twin, ours, json)).toBe(twin);
  });

  test.each([
    ["an empty object", "{}"],
    ["one line", '{"a":1}'],
    ["Windows's line ends and tabs", '{\r\n\t"a": 1\r\n}\r\n'],
    ["a byte order mark", '\ufeff{\n    "a": 1\n}'],
    ["an empty list", '{"hooks":{"PreToolUse":[]}}'],
    ["a comment after the last value", '{\n  "a": 1 // one, two\n}'],
    ["a comment in an empty object", "{\n  // nothing, yet\n}"],
  ])("%s", async (_, text) => {
    const edited = await withGroups(text, ours, {}, jsonc);
    expect(await readSettings(edited, jsonc)).toMatchObject({
      hooks: { PreToolUse: [ours.PreToolUse], Stop: [ours.Stop] },
    });
    const back = await withoutGroups(edited, ours, jsonc);
    const { hooks: _theirs, ...rest } = parse(text.replace("\ufeff", ""));
    expect(parse(back.replace("\ufeff", ""))).toEqual(rest);
    for (const comment of text.match(/\/\/.*/g) ?? []) expect(back).toContain(comment);
    if (text.startsWith("\ufeff")) expect(edited.startsWith("\ufeff{")).toBe(true);
    if (text.includes("\r\n")) expect(edited.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("any settings: in and out again changes nothing of theirs", async () => {
    const theirs = fc.dictionary(
      fc.constantFrom("PreToolUse", "Stop", "Other"),
      fc.array(fc.jsonValue(), { maxLength: 3 }),
    );
    const settings = fc.record({
      rest: fc.dictionary(fc.string(), fc.jsonValue()),
      theirs,
      indent: fc.constantFrom(0, 1, 2, 4, "\t"),
    });
    await fc.assert(
      fc.asyncProperty(settings, async ({ rest, theirs, indent }) => {
        const before = { ...rest, hooks: theirs };
        const text = JSON.stringify(before, null, indent);
        const edited = await withGroups(text, ours, {}, json);
        const kept = Object.fromEntries(
          Object.entries(theirs).filter(([event, groups]) => groups.length > 0 || !(event in ours)),
        );
        const { hooks = {}, ...others } = JSON.parse(await withoutGroups(edited, ours, json));
        expect([others, hooks]).toEqual(JSON.parse(JSON.stringify([rest, kept])));
        const hadAll = Object.keys(theirs).length > 0 && Object.values(theirs).every((groups) => groups.length > 0);
        if (hadAll) expect(await withoutGroups(edited, ours, json)).toBe(text);
        expect(JSON.parse(edited).hooks.Stop.at(-1)).toEqual(ours.Stop);
      }),
      { numRuns: 150 },
    );
  });

  test("a new file holds nothing else", () => {
    expect(JSON.parse(newSettings(ours))).toEqual({ hooks: { PreToolUse: [ours.PreToolUse], Stop: [ours.Stop] } });
  });
});

describe("a file that is not edited", () => {
  test.each([
    ["broken", '{"a":', jsonc, "E_SETTINGS_PARSE"],
    ["empty", "", jsonc, "E_SETTINGS_PARSE"],
    ["a trailing comma", '{"a":1,}', jsonc, "E_SETTINGS_PARSE"],
    ["a comment where the host knows none", "{} // x", json, "E_SETTINGS_PARSE"],
    ["two values", "{}{}", json, "E_SETTINGS_PARSE"],
    ["a list", "[]", json, "E_SETTINGS_FORM"],
    ["hooks that are none", '{"hooks":[]}', json, "E_SETTINGS_FORM"],
    ["an event that is no list", '{"hooks":{"Stop":{}}}', json, "E_SETTINGS_FORM"],
    ["hooks twice", '{"hooks":{},"hooks":{}}', json, "E_SETTINGS_FORM"],
    ["an event twice", '{"hooks":{"Stop":[],"Stop":[]}}', json, "E_SETTINGS_FORM"],
    ["too much", `{"a":"${"x".repeat(5_000_000)}"}`, json, "E_SETTINGS_FORM"],
  ] as const)("%s", async (_, text, editing, want) => {
    expect(await code(withGroups(text, ours, {}, editing))).toBe(want);
    expect(await code(withoutGroups(text, ours, editing))).toBe(want);
  });
});
