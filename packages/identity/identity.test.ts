import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import { type Handler, MAY, NO_CAPABILITIES, type NormalForm, sha256 } from "@hookpkg/spec";
import fc from "fast-check";
import { closureOf, identityOf, isClosureFile, normalForm } from "./index.ts";

const closure = sha256("");

const file = fc.record({
  path: fc.stringMatching(/^[a-z😀Ａ]{1,8}\.ts$/u),
  executable: fc.boolean(),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
});
const files = fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1, maxLength: 12 });
const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 6 });

const handler: fc.Arbitrary<Handler> = fc.record({
  id: fc.constant("guard"),
  event: fc.constant("PreToolUse"),
  matcher: fc.oneof(fc.constant(null), fc.record({ names: words }), fc.record({ re2: fc.string() })),
  if: fc.array(fc.record({ tool: fc.string(), pattern: fc.string() }), { maxLength: 5 }),
  run: fc.oneof(
    fc.record({ type: fc.constant("command"), argv: fc.array(fc.string()) }),
    fc.record({ type: fc.constant("service"), argv: fc.array(fc.string()) }),
    fc.record({ type: fc.constant("command"), shell: fc.string() }),
  ),
  may: fc.subarray([...MAY]),
  timeoutMs: fc.nat(),
  failMode: fc.constantFrom("open", "closed"),
  once: fc.boolean(),
  async: fc.boolean(),
  answers: fc.constantFrom("lenient", "strict"),
  outputLimit: fc.nat(),
  before: words,
  after: words,
});

describe("closure", () => {
  test("the order of files never counts", () => {
    fc.assert(
      fc.property(shuffled(files), ([a, b]) => {
        expect(closureOf(a, "package")).toBe(closureOf(b, "package"));
      }),
    );
  });

  test("any bit, any mode, any path counts", () => {
    fc.assert(
      fc.property(files, fc.nat(), fc.nat({ max: 7 }), (list, at, bit) => {
        const [first, ...rest] = list;
        if (!first) return;
        const bytes = first.bytes.slice();
        const n = at % bytes.length;
        bytes[n] = (bytes[n] ?? 0) ^ (1 << bit);
        const other = (changed: Partial<typeof first>) => closureOf([{ ...first, ...changed }, ...rest], "package");
        const before = other({});
        expect(other({ bytes })).not.toBe(before);
        expect(other({ executable: !first.executable })).not.toBe(before);
        expect(other({ path: `x/${first.path}` })).not.toBe(before);
        expect(closureOf(rest, "package")).not.toBe(before);
      }),
    );
  });

  test("a digest and size stand for the bytes", () => {
    const bytes = Buffer.from("code");
    const whole = closureOf([{ path: "a.ts", executable: false, bytes }], "package");
    expect(closureOf([{ path: "a.ts", executable: false, sha256: sha256(bytes), size: 4 }], "package")).toBe(whole);
  });

  test("one path with two contents is refused", () => {
    const twice = ["a", "b"].map((text) => ({ path: "a.ts", executable: false, bytes: Buffer.from(text) }));
    expect(codeOf(() => closureOf(twice, "package"))).toBe("E_CLOSURE_PATH_TWICE");
  });

  test("a size that is none is refused", () => {
    const odd = [{ path: "a.ts", executable: false, sha256: closure, size: -1 }];
    expect(codeOf(() => closureOf(odd, "package"))).toBe("E_CLOSURE_SIZE");
  });

  test.each([
    ["README", false],
    ["README.md", false],
    ["LICENSE-MIT", false],
    ["CHANGELOG.md", false],
    ["docs/a.ts", false],
    ["test/cases/a.json", false],
    ["hookpkg.json", false],
    ["hooks/hooks.json", false],
    ["readme.md", true],
    ["README/a.ts", true],
    ["docs", true],
    ["docs.ts", true],
    ["tests/a.ts", true],
    ["src/docs/a.ts", true],
    ["src/README.md", true],
    ["src/hookpkg.json", true],
    ["hooks.json", true],
    ["hooks.toml", true],
    ["test\n/a", true],
  ])("%j of a package counts: %p", (path, counts) => {
    expect(isClosureFile(path, "package")).toBe(counts);
  });

  test("a layer keeps its declarations at its root", () => {
    const counted = ["hookpkg.json", "hooks.json", "hooks.toml", "hooks/hooks.json", "sub/hooks.toml"].filter((path) =>
      isClosureFile(path, "layer"),
    );
    expect(counted).toEqual(["hooks/hooks.json", "sub/hooks.toml"]);
  });
});

describe("normal form", () => {
  test("the order and repetition of entries never count", () => {
    fc.assert(
      fc.property(handler, handler, (a, b) => {
        const again = <T>(list: readonly T[]) => [...list].reverse().concat(list);
        const turned: Handler = {
          ...a,
          statusMessage: "words",
          id: b.id,
          matcher: a.matcher && "names" in a.matcher ? { names: again(a.matcher.names) } : a.matcher,
          if: again(a.if),
          may: again(a.may),
          before: again(a.before),
          after: again(a.after),
        };
        expect(identityOf(formOf(turned))).toBe(identityOf(formOf(a)));
      }),
    );
  });

  test("nor does the order of rights and programs", () => {
    fc.assert(
      fc.property(handler, words, words, (a, rights, programs) => {
        const form = (turn: <T>(list: T[]) => T[]) => {
          const capabilities = { ...NO_CAPABILITIES, read: turn(rights), env: turn(programs) };
          return normalForm(a, { capabilities, requires: turn(programs), closure });
        };
        expect(identityOf(form((list) => [...list, ...list].reverse()))).toBe(identityOf(form((list) => list)));
      }),
    );
  });

  test("two handlers share an identity only when they share the normal form", () => {
    fc.assert(
      fc.property(handler, handler, (a, b) => {
        const same = Bun.deepEquals(formOf(a), formOf(b), true);
        expect(identityOf(formOf(a)) === identityOf(formOf(b))).toBe(same);
      }),
    );
  });

  test("is its own normal form", () => {
    fc.assert(
      fc.property(handler, (a) => {
        const once = formOf(a);
        expect(formOf({ ...a, ...once })).toEqual(once);
      }),
    );
  });

  test("every field counts", () => {
    fc.assert(
      fc.property(handler, (a) => {
        const form = formOf(a);
        for (const field of Object.keys(form) as (keyof NormalForm)[]) {
          const changed = { ...form, [field]: "something else" };
          expect(identityOf(changed)).not.toBe(identityOf(form));
        }
      }),
    );
  });
});

function formOf(of: Handler): NormalForm {
  return normalForm(of, { capabilities: NO_CAPABILITIES, requires: [], closure });
}

function shuffled<T>(list: fc.Arbitrary<T[]>): fc.Arbitrary<[T[], T[]]> {
  return list.chain((items) =>
    fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length })),
  );
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "";
}
