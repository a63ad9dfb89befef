import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Change, MAX_PATCH_FILES, readPatch } from "./apply-patch.ts";

const wrapped = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const changes = (patch: string): readonly Change[] | null => readPatch(patch, "/p").changes;
const fault = (patch: string): string | undefined => {
  const read = readPatch(patch, "/p");
  return read.changes === null ? read.fault.code : undefined;
};

describe("reads", () => {
  test("several files, relative and absolute paths, with and without a newline at the end", () => {
    const patch = wrapped(
      "*** Add File: a.txt",
      "+one",
      "+",
      "*** Delete File: sub/../b.txt",
      "*** Update File: /etc/hosts",
      "@@ def f():",
      " context",
      "-old",
      "+new",
      "@@",
      "+more",
      "*** End of File",
      "*** Update File: old.ts",
      "*** Move to: ../new.ts",
      "-a",
      "+b",
    );
    const want: Change[] = [
      { op: "add", path: "/p/a.txt", content: "one\n\n" },
      { op: "delete", path: "/p/b.txt" },
      { op: "update", path: "/etc/hosts", content: "new\nmore\n" },
      { op: "move", path: "/p/old.ts", to: "/new.ts", content: "b\n" },
    ];
    expect(changes(patch)).toEqual(want);
    expect(changes(`\n${patch}\n\n`)).toEqual(want);
    expect(changes(patch.replaceAll("\n", "\r\n"))).toEqual(want);
    expect(changes(`<<'EOF'\n${patch}\nEOF`)).toEqual(want);
  });

  test("an empty file, an environment line, padded headers", () => {
    expect(changes(wrapped("*** Environment ID: x", " *** Add File: empty  "))).toEqual([
      { op: "add", path: "/p/empty", content: "" },
    ]);
  });

  test("an added line that looks like a header is content", () => {
    expect(changes(wrapped("*** Add File: a", "+*** Delete File: b"))).toEqual([
      { op: "add", path: "/p/a", content: "*** Delete File: b\n" },
    ]);
  });

  test("a move that changes no line", () => {
    expect(changes(wrapped("*** Update File: a", "*** Move to: b"))).toEqual([
      { op: "move", path: "/p/a", to: "/p/b", content: "" },
    ]);
  });
});

test.each([
  ["nothing", ""],
  ["no markers", "*** Add File: a\n+x"],
  ["no end", "*** Begin Patch\n*** Add File: a\n+x"],
  ["one line", "*** Begin Patch"],
  ["no change", wrapped()],
  ["garbage", wrapped("hello")],
  ["an added line without its sign", wrapped("*** Add File: a", "x")],
  ["an update without a hunk", wrapped("*** Update File: a")],
  ["a line that no hunk can have", wrapped("*** Update File: a", "@@", "x")],
  ["a header that only some versions obey", wrapped("*** Update File: a", "@@", " *** Delete File: b")],
  ["a move that only some versions obey", wrapped("*** Update File: a", " *** Move to: b", "+x")],
  ["a move in the wrong place", wrapped("*** Update File: a", "@@", "+x", "*** Move to: b")],
  ["a path with a control character", wrapped("*** Add File: a\u001bb", "+x")],
  ["an empty path", wrapped("*** Delete File:  ")],
  ["a unified diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"],
  ["too many files", wrapped(...Array.from({ length: MAX_PATCH_FILES + 1 }, (_, n) => `*** Delete File: ${n}`))],
])("does not read %s", (_, patch) => {
  expect(fault(patch)).toBe("E_PATCH_UNREADABLE");
});

test("any text is read or refused, and every header at the start of a line is seen", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "*** Add File: x",
      "*** Delete File: y",
      "*** Update File: z",
      "*** Move to: w",
      "@@",
      "+a",
      "-b",
      " c",
      "",
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const read = readPatch(wrapped(...lines), "/p");
      const deletes = lines.filter((text) => text === "*** Delete File: y").length;
      return (
        read.changes === null ||
        read.changes.filter((change) => change.op === "delete" && change.path === "/p/y").length >= deletes
      );
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => readPatch(text, "/p") !== undefined));
});
