import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCommand, type Scene, shown } from "./index.ts";

const scene: Scene = { cwd: "/home/dev/app", project: "/home/dev/app", home: "/home/dev", link: () => undefined };

/** Every call that the reader tells of, as one line; what is not known reads `…` or `*`. */
function calls(command: string): string[] {
  const told: string[] = [];
  readCommand(command, scene, {
    call({ name, args }) {
      told.push([name, ...args].map(shown).join(" "));
      return undefined;
    },
    write(path, mode) {
      told.push(`${mode} ${shown(path)}`);
      return undefined;
    },
  });
  return told;
}

describe("what a command calls", () => {
  test.each([
    ["quotes and escapes", `"l"s -'l'a $'\\x61' a\\ b`, ["ls -la a a b"]],
    ["variables", `a=1 b="$a 2"; ls $b "$b"`, ["ls 1 2 1 2"]],
    ["an unset variable is not known", `ls "$NOBODY_SET_THIS"/x`, ["ls …/x"]],
    [
      "operations on variables",
      `f=a/b.txt; ls "\${f%.txt}" "\${f##*/}" "\${f/a/c}" "\${f:0:1}" "\${f^^}" "\${#f}"`,
      ["ls a/b b.txt c/b.txt a A/B.TXT 7"],
    ],
    ["arrays", `a=(x "y z"); a+=(w); ls "\${a[@]}" "\${a[1]}" "\${#a[@]}"`, ["ls x y z w y z 3"]],
    ["braces", "ls {a,b}{1..2}", ["ls a1 a2 b1 b2"]],
    ["tilde", `ls ~ ~/x "~"`, ["ls /home/dev /home/dev/x ~"]],
    ["globs stay open", "ls *.ts a?", ["ls *.ts a?"]],
    ["substitution", "ls $(echo a; echo b) `echo c`", ["echo a", "echo b", "echo c", "ls a b c"]],
    ["assignment before a program is its own", "A=1 ls; ls $A", ["ls", "ls …"]],
    ["functions and their arguments", `f() { ls "$2" "$1"; }; f a b`, ["ls b a"]],
    ["loops", `for i in a b; do ls $i; done`, ["ls a", "ls b"]],
    ["both ways of a branch", `if x; then A=1; else A=2; fi; ls $A`, ["x", "ls 1", "ls 2"]],
    ["a subshell keeps its variables", "(A=1; cd /); ls $A $PWD", ["cd /", "ls … /home/dev/app"]],
    [
      "wrappers",
      "sudo -u root env A=1 nice -n 5 ls",
      ["sudo -u root env A=1 nice -n 5 ls", "env A=1 nice -n 5 ls", "nice -n 5 ls", "ls"],
    ],
    ["shells in shells", `bash -c 'sh -c "ls $0" x'`, [`bash -c sh -c "ls $0" x`, "sh -c ls bash x", "ls bash"]],
    ["pipes feed what reads", "echo a b | xargs ls", ["echo a b", "xargs ls", "ls a b"]],
    ["files that were written are read", "echo ls > x; sh x", ["truncate /home/dev/app/x", "echo ls", "sh x", "ls"]],
    [
      "redirections",
      "ls 2>/dev/null >>log &>all",
      ["truncate /dev/null", "append /home/dev/app/log", "truncate /home/dev/app/all", "ls"],
    ],
    ["here-documents", "sh <<E\nls $HOME\nE\nsh <<'E'\nls $HOME\nE", ["sh", "ls /home/dev", "sh", "ls /home/dev"]],
    ["find", "find a -name '*.o' -exec ls {} +", ["find a -name *.o -exec ls {} +", "ls a/**/*.o"]],
    ["a comment is none", "ls # rm", ["ls"]],
  ])("%s", (_what, command, want) => {
    expect(calls(command)).toEqual(want);
  });
});

describe("a command that can't be followed is a reason", () => {
  const quiet = { call: () => undefined, write: () => undefined };

  test.each([
    ["an open quote", "ls 'a"],
    ["an open substitution", "ls $(a"],
    ["a loop in loops", "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do ls; done; done; done"],
    ["text that runs itself", `x='eval "$x"'; eval "$x"`],
    ["too many words", `ls ${"a ".repeat(5000)}`],
  ])("%s", (_what, command) => {
    expect(readCommand(command, scene, quiet)).toBeString();
  });

  test("a reason is one line of bounded length", () => {
    const telling = { ...quiet, call: ({ args }: { args: readonly string[] }) => `no ${args.join(" ")}` };
    expect(readCommand("ls $'a\\nb\\x1b[0m'", scene, telling)).toBe("no a b [0m");
    expect(readCommand(`ls ${"a".repeat(4000)}`, scene, telling)?.length).toBeLessThan(500);
  });

  test("a text that doubles in a loop stays small", () => {
    expect(readCommand("x=aa; for i in {1..64}; do x=$x$x; done; ls $x", scene, quiet)).toBeUndefined();
  });

  test("no text makes the reader throw", () => {
    const pieces = [
      "a",
      "rm",
      " ",
      "\n",
      "'",
      '"',
      "`",
      "$",
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      "|",
      "&",
      ";",
      "<",
      ">",
      "=",
      "*",
      "?",
      "~",
      "/",
      "..",
      "\\",
      "#",
      "!",
      "@",
      ":",
      "-",
      "0",
      "<<E",
      "if",
      "then",
      "fi",
      "for",
      "in",
      "do",
      "done",
      "x",
    ];
    const command = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(command, (text) => {
        const reason = readCommand(text, scene, quiet);
        expect(reason === undefined || typeof reason === "string").toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
