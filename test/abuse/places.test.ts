import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { openScene, PROJECT, removeFolder, run, type Scene } from "./hostile.ts";

setDefaultTimeout(60_000);

/** Names of folders that a shell, a flag parser, a glob or a format string would take for more than a name. */
const NAMES = [
  "with two  blanks",
  `it's "quoted"`,
  "$(touch PWN)",
  "`touch PWN`;touch PWN && touch PWN #",
  "| touch PWN & <(touch PWN) > PWN",
  "ünï-код-日本-\u{1f980}-e\u0301",
  "--help -rf",
  "*?[a-z]{b,c}!",
  "%s%n\\n\\t$HOME${PATH}~",
  "x".repeat(200),
];

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-places-")));
  chmodSync(top, 0o755);
});
afterAll(() => removeFolder(top));

function sceneIn(name: string): Scene {
  const root = join(top, name, "project");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(top, name, "home"), { recursive: true });
  writeFileSync(join(root, "src/a.ts"), "seen");
  return openScene(join(top, name, "home"), root);
}

describe.each(NAMES)("home and project below %j", (name) => {
  const rights = { project: "read" };

  test("a module's package, project and folder are where they are", async () => {
    const scene = sceneIn(name);
    const guard = `import { readFileSync } from "node:fs";
      export default (event, ctx) => ({ answer: "cancel", reason: JSON.stringify([import.meta.dir, ctx.project, process.cwd(), event.cwd, readFileSync(ctx.project + "/src/a.ts", "utf8")]) });`;
    const outcome = await run(scene, {
      rights,
      run: { type: "module", module: "./guard.ts" },
      files: { "guard.ts": guard },
    });
    expect(JSON.parse(said(outcome))).toEqual(["/plugin", scene.root, scene.root, scene.root, "seen"]);
    expect(planted()).toEqual([]);
  });

  test("an argv command's words stay words", async () => {
    const scene = sceneIn(name);
    const files = { "say.sh": `#!/bin/sh\nprintf '[%s]' "$0" "$@" >&2\necho kept >"$PLUGIN_DATA/n"\nexit 2\n` };
    const words = ["${PLUGIN_ROOT}/x", "${CLAUDE_PLUGIN_DATA}", "${PROJECT_DIR}", "a ${CLAUDE_PROJECT_DIR}/src"];
    const outcome = await run(scene, { rights, run: { type: "command", argv: ["./say.sh", ...words] }, files });
    expect(said(outcome)).toBe(`[/plugin/say.sh][/plugin/x][/data][${scene.root}][a ${scene.root}/src]`);
    expect(readFileSync(join(scene.home.data, "data", PROJECT, "@abuse/guard/n"), "utf8")).toBe("kept\n");
    expect(planted()).toEqual([]);
  });

  test("a shell command's placeholders and variables are not split and not run", async () => {
    const scene = sceneIn(name);
    const command = `{ printf '[%s]' \${PLUGIN_ROOT}/x \${CLAUDE_PLUGIN_DATA} "\${PROJECT_DIR}" "\${CLAUDE_PROJECT_DIR}/src" "$PROJECT_DIR" "$CLAUDE_PROJECT_DIR" \${PROJECT_DIR} $CLAUDE_PROJECT_DIR/x
      cat "\${PROJECT_DIR}/src/a.ts"; cd "$CLAUDE_PROJECT_DIR" && printf '[%s]' "$(pwd)"; sh -c 'printf "[%s]" "$PLUGIN_ROOT" "$PROJECT_DIR"'; } >&2; exit 2`;
    const outcome = await run(scene, { rights, run: { type: "command", command } });
    const { root } = scene;
    expect(said(outcome)).toBe(
      `[/plugin/x][/data][${root}][${root}/src][${root}][${root}][${root}][${root}/x]seen[${root}][/plugin][${root}]`,
    );
    expect(planted()).toEqual([]);
  });

  test("a right to write reaches the folder, and no other", async () => {
    const scene = sceneIn(name);
    const command = 'cd "$PROJECT_DIR/out dir" && echo 1 >x; echo 2 >"$PROJECT_DIR/src/a.ts"; exit 0';
    const outcome = await run(scene, {
      rights: { project: "read", write: ["out dir/**"] },
      run: { type: "command", command },
    });
    expect(outcome).toMatchObject({ outcome: "answered" });
    expect(readFileSync(join(scene.root, "out dir/x"), "utf8")).toBe("1\n");
    expect(readFileSync(join(scene.root, "src/a.ts"), "utf8")).toBe("seen");
    expect(planted()).toEqual([]);
  });
});

function said(outcome: Outcome): string {
  return outcome.outcome === "answered" && "reason" in outcome.answer ? outcome.answer.reason : JSON.stringify(outcome);
}

/** What a name that was run would have left: here, below the folders, or where the tests run. */
function planted(): string[] {
  const here = [...readdirSync(top, { recursive: true }), ...readdirSync(process.cwd())].map(String);
  return here.filter((path) => /(^|\/)PWN$/.test(path));
}
