import { expect, test } from "bun:test";
import fc from "fast-check";
import { asOneWord } from "./shell-place.ts";

const P = "${PROJECT_DIR}";
/** Words without a mention, and what the shell makes of them. */
const OTHERS = new Map([
  ["`printf x`", "x"],
  [`"a'b"`, "a'b"],
  ["'a\"b'", 'a"b'],
  ["\\'", "'"],
]);

test.each([
  ["cat $PROJECT_DIR/x", `cat "${P}"/x`],
  ["cat ${CLAUDE_PROJECT_DIR}/x", `cat "${P}"/x`],
  ['cat "$PROJECT_DIR/x"', `cat "${P}/x"`],
  ["sh -c 'cat $PROJECT_DIR'", `sh -c 'cat ${P}'`],
  ['echo "$(cat $PROJECT_DIR/x)" $PROJECT_DIR', `echo "$(cat "${P}"/x)" "${P}"`],
  ['echo "(" $PROJECT_DIR', `echo "(" "${P}"`],
  ["(cd $PROJECT_DIR) && echo `ls $PROJECT_DIR`", `(cd "${P}") && echo \`ls "${P}"\``],
  ['echo \\" $PROJECT_DIR', `echo \\" "${P}"`],
  ["case x in a) ls $PROJECT_DIR;; esac", `case x in a) ls "${P}";; esac`],
  ["echo $PROJECT_DIRS", "echo $PROJECT_DIRS"],
  ["cat <<E\n$PROJECT_DIR\nE", "cat <<E\n$PROJECT_DIR\nE"],
])("%j", (script, made) => {
  expect(asOneWord(script)).toBe(made);
});

test("the shell sees one word, between whatever quotes: with a name that would be split, globbed or run", () => {
  const name = "/a  b $(echo run) `echo run` 'x' \"y\" *";
  const words = fc.constantFrom(
    `"$PROJECT_DIR"`,
    "$PROJECT_DIR",
    `"$(printf %s $PROJECT_DIR)"`,
    "`printf x`",
    `"a'b"`,
    "'a\"b'",
    "\\'",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 5 }), (list) => {
      const script = asOneWord(`printf '[%s]' - ${list.join(" ")}`);
      const run = Bun.spawnSync(["/bin/sh", "-c", script], { env: { PROJECT_DIR: name, PATH: "/usr/bin:/bin" } });
      const wanted = list.map((word) => OTHERS.get(word) ?? name);
      expect(run.stdout.toString()).toBe(`[-]${wanted.map((word) => `[${word}]`).join("")}`);
    }),
    { numRuns: 40 },
  );
});
