import { describe, expect, test } from "bun:test";
import { HOOK_SOURCES, type HookSource } from "@hookpkg/hosts";
import type { EventName } from "@hookpkg/spec";
import { converted } from "./command.ts";
import { mayOf } from "./may.ts";
import { askedBy, capabilitiesOf } from "./rights.ts";
import { scriptNotes } from "./script-notes.ts";
import { scriptText } from "./script-text.ts";
import type { Source } from "./source.ts";
import { Tree } from "./tree.ts";

const host = (name: string): HookSource => {
  const found = HOOK_SOURCES.find(({ adapter }) => adapter.name === name);
  if (!found) throw new Error(`${name} hands on no hooks`);
  return found;
};

describe("what a command names", () => {
  const bytes = new Uint8Array();
  const plugin = (name: string): Source => ({
    ...{ root: "/plugins/p", host: host(name), declaring: [] },
    files: ["hooks/x.sh", "hooks/x.js"].map((path) => ({ path, executable: true, bytes })),
  });
  test.each([
    ["claude-code", "${CLAUDE_PLUGIN_ROOT}/hooks/x.sh", "${PLUGIN_ROOT}/hooks/x.sh"],
    ["claude-code", '"$CLAUDE_PLUGIN_ROOT"/hooks/x.sh', '"${PLUGIN_ROOT}"/hooks/x.sh'],
    ["claude-code", "$CLAUDE_PLUGIN_ROOTS/x", "$CLAUDE_PLUGIN_ROOTS/x"],
    ["claude-code", "cat > $CLAUDE_PLUGIN_DATA/n", "cat > ${PLUGIN_DATA}/n"],
    ["claude-code", "ls ${CLAUDE_PROJECT_DIR:-.}", "ls ${PROJECT_DIR}"],
    ["codex", "${PLUGIN_ROOT}/hooks/x.sh --all", "${PLUGIN_ROOT}/hooks/x.sh --all"],
    ["peri", "sh hooks/x.sh", "sh ${PLUGIN_ROOT}/hooks/x.sh"],
    ["gemini-cli", "node ${extensionPath}${/}hooks${/}x.js", "node ${PLUGIN_ROOT}/hooks/x.js"],
    ["gemini-cli", 'ls "$GEMINI_PROJECT_DIR" ${workspacePath}', 'ls "${PROJECT_DIR}" ${PROJECT_DIR}'],
    [
      "qwen-code",
      "ls $QWEN_PROJECT_DIR; ${CLAUDE_PLUGIN_ROOT}/hooks/x.sh",
      "ls ${PROJECT_DIR}; ${PLUGIN_ROOT}/hooks/x.sh",
    ],
    ["astracode", "jq -r '.tool_name' >> /tmp/a.log", "jq -r '.tool_name' >> /tmp/a.log"],
    [
      "codex",
      "sed 's/a/b/' | grep -E '^/api/v1' https://x.example/a/b",
      "sed 's/a/b/' | grep -E '^/api/v1' https://x.example/a/b",
    ],
  ])("%s: %p is %p", (name, command, wanted) => {
    const source = plugin(name);
    expect(converted(command, source, new Tree(source))).toMatchObject({ text: wanted, reads: [] });
  });

  test("a path of the machine is asked for; one at home or above is not carried over as a program", () => {
    const source = plugin("codex");
    const tree = new Tree(source);
    expect(converted("/opt/guard/run --all", source, tree)).toMatchObject({ reads: ["/opt/guard/run"] });
    expect(converted("python3 /srv/x.py", source, tree)).toMatchObject({ reads: ["/srv/x.py"] });
    for (const path of ["/tmp/x/pre.py", "/etc/guard/run.sh", "/var/lib/guard.sh", "/root/x.sh"])
      for (const command of [path, `python3 ${path}`, `python3 "${path}" --all`])
        expect(converted(command, source, tree)).toMatchObject({
          reads: [path],
          notes: [expect.stringContaining(path)],
        });
    expect(converted("jq -f /etc/guard/rules.jq", source, tree)).toMatchObject({ reads: ["/etc/guard/rules.jq"] });
    for (const path of ["/tmp/seen/a.log", "/run/user/1000/bus"])
      expect(converted(`cat ${path}`, source, tree)).toMatchObject({
        reads: [],
        notes: [expect.stringContaining(path)],
      });
    expect(converted("sh /run/x.sh", source, tree)).toHaveProperty("why");
    for (const path of ["/usr/bin/jq", "/dev/stdin", "/bin/sh"])
      expect(converted(`cat ${path}`, source, tree)).toMatchObject({ reads: [], notes: [] });
    expect(converted("cat >> ~/log.txt", source, tree)).toMatchObject({ text: "cat >> ~/log.txt", reads: [] });
    for (const command of ["~/x.sh", "sh $HOME/x.sh", "${PLUGIN_ROOT}/../x", "cd x && ../y.sh", "x".repeat(9000)])
      expect(converted(command, source, tree)).toHaveProperty("why");
  });
});

describe("the rights that a text asks for", () => {
  const asked = (name: string, text: string) =>
    askedBy([scriptText(name, text)]).map((one) => ("name" in one ? `${one.kind} ${one.name}` : one.kind));
  test.each([
    ["a.sh", 'if [ -z "$TOKEN" ]; then exit 0; fi', ["env TOKEN"]],
    ["a.sh", 'NAME=x; for F in a; do echo "$NAME $F $HOME $CLAUDE_PLUGIN_ROOT $GEMINI_SESSION_ID"; done', []],
    [
      "a.py",
      'os.environ["A_KEY"]; os.environ.get("B_KEY"); os.getenv("C_KEY")',
      ["env A_KEY", "env B_KEY", "env C_KEY"],
    ],
    ["a.js", 'process.env.D_KEY; process.env["E_KEY"]; `${NOT_ENV}`', ["env D_KEY", "env E_KEY"]],
    ["a.sh", "curl -s https://api.example.com:8443/x", ["net api.example.com:8443", "program curl"]],
    ["a.js", 'await fetch("https://api.example.com/x")', ["net api.example.com:443"]],
    ["a.sh", 'echo "see https://docs.example.com/why" >&2; exit 2', []],
    ["a.py", 'requests.get("http://169.254.169.254/x")', []],
    ["a.sh", "#!/usr/bin/env bash\njq . | python3 -c ''", ["program python3", "program jq", "program bash"]],
    ["a.py", "subprocess.run(['git', 'commit'])", ["program git"]],
    ["a.py", 'if re.search(r"git push", command): sys.exit(2)', []],
    ["a.sh", "# curl https://x.example with $SECRET\n// node\nexit 0", []],
    ["a.py", 'os.chdir(event["cwd"])', ["project"]],
    ["a.py", 'text = open(event["tool_input"]["file_path"]).read()', ["project"]],
    ["a.js", "JSON.parse(fs.readFileSync(0)).tool_input.file_path", []],
    ["a.sh", 'cat "$CLAUDE_PROJECT_DIR/rules.txt"', ["project"]],
    ["a.sh", "git status --short", ["project", "program git"]],
    ["a.sh", "[ -f package.json ] && exit 2", ["project"]],
    ["a.sh", "[ -z x ]; [ -f /etc/hosts ]", []],
    ["a.py", 'os.path.exists("package.json")', ["project"]],
  ])("%s: %p", (name, text, wanted) => {
    expect([...new Set(asked(name, text))].sort()).toEqual([...wanted].sort());
  });

  test("more names than a manifest takes: the first ones, and the others are said", () => {
    const text = Array.from({ length: 100 }, (_, n) => `echo $NAME_${n}`).join("\n");
    const { capabilities, refused } = capabilitiesOf(askedBy([scriptText("a.sh", text)]));
    expect([capabilities.env.length, refused.length]).toEqual([64, 36]);
  });

  test("what is never granted is said, not asked for", () => {
    const { capabilities, refused } = capabilitiesOf(
      askedBy([scriptText("a.sh", "echo $NODE_OPTIONS $LD_PRELOAD $MINE")]),
    );
    expect(capabilities.env).toEqual(["MINE"]);
    expect(refused.map((one) => "name" in one && one.name)).toEqual(["NODE_OPTIONS", "LD_PRELOAD"]);
  });
});

test.each([
  [
    "a.js",
    "import { x } from 'node:fs';\nexport {};",
    ["a.js is a module by package.json, which is never packed: call it .mjs"],
  ],
  ["a.mjs", 'import { x } from "node:fs";\nimport y from "./y.mjs";', []],
  [
    "a.cjs",
    'const a = require("fs"), b = 1;\nconst c = require("left-pad");',
    ["a.cjs imports left-pad, and node_modules is never packed: bundle it"],
  ],
  [
    "a.sh",
    'echo x >> "$CLAUDE_PROJECT_DIR"/log',
    [
      'it writes below the project, for which capabilities.write must name the folder (a.sh: echo x >> "$CLAUDE_PROJECT_DIR"/log)',
    ],
  ],
  [
    "a.sh",
    ". $CLAUDE_PROJECT_DIR/.claude/lib.sh",
    [
      "it names the project's own file, which is no part of what is approved (a.sh: . $CLAUDE_PROJECT_DIR/.claude/lib.sh)",
    ],
  ],
  ...[
    ["a.sh", "echo x >> .claude/audit.log", "it writes below"],
    ["a.py", 'open(os.path.expanduser("~/.claude/log"), "a")', "home is an empty folder"],
    ["a.sh", "jq -r .transcript_path", "no handler sees the transcript"],
    ["a.sh", "npx -y guard", "it may fetch"],
    ["a.py", "import yaml, json", "it imports what"],
  ].map(([name = "", text = "", why = ""]): [string, string, string[]] => [name, text, [expect.stringContaining(why)]]),
])("%s with %p is noted: %p", (name, text, notes) => {
  expect(scriptNotes([scriptText(name, text)])).toEqual(notes);
});

test.each<[EventName, string, readonly string[] | undefined]>([
  ["PreToolUse", "exit 2", undefined],
  ["PreToolUse", '{"updatedInput": {}}', ["cancel", "ask", "patch"]],
  ["PreToolUse", '{"additionalContext": "x"}', ["cancel", "ask", "context"]],
  ["PreToolUse", '{"permissionDecision": "allow"}', ["cancel", "ask", "allow"]],
  ["PreToolUse", '{"permissionDecision": "allow"} {"permissionDecision": "deny"}', undefined],
  ["PreToolUse", '{"permissionDecision": "allow", "updatedInput": {}}', ["cancel", "ask", "patch"]],
  ["PermissionRequest", '{"behavior": "allow"} {"behavior": "deny"}', ["cancel", "ask", "allow"]],
  ["PostToolUse", '{"updatedToolOutput": "x"}', ["cancel", "context", "patch"]],
  ["Stop", '{"updatedInput": {}, "additionalContext": ""}', undefined],
  ["SessionEnd", '{"decision": "block"}', undefined],
])("on %s a script with %p may %p", (event, text, may) => {
  expect(mayOf(event, [scriptText("a.sh", text)], {}).may as readonly string[] | undefined).toEqual(may);
});
