import { foundPaths, searchOf } from "../find.ts";
import type { Call } from "../machine.ts";
import { given, has, optionsOf } from "../options.ts";
import { type Change, changes, type Rule, type Rules } from "./rule.ts";

const deleted: Rule = ({ args }) => changes("delete", optionsOf(args, { letters: "ns" }).operands);
const edited: Rule = ({ args }) => changes("write", optionsOf(args, { letters: "cSTu", names: ["cmd"] }).operands);

/** Programs that change, empty or delete files which they are given. */
export const edits: Rules = {
  rm: deleted,
  grm: deleted,
  unlink: deleted,
  rmdir: deleted,
  shred: deleted,
  srm: deleted,
  rimraf: deleted,
  find: ({ args }) => {
    const search = searchOf(args);
    const written = args.flatMap((arg, index) => (/^-f(print0?|printf|ls)$/.test(arg) ? (args[index + 1] ?? "") : []));
    return [...(search.isDeleting ? changes("delete", foundPaths(search)) : []), ...changes("write", written)];
  },
  truncate: ({ args }) => changes("write", optionsOf(args, { letters: "sr", names: ["size", "reference"] }).operands),
  fallocate: ({ args }) => changes("write", optionsOf(args, { letters: "lo" }).operands),
  touch: ({ args }) => changes("write", optionsOf(args, { letters: "drt", names: ["date", "reference"] }).operands),
  tee: ({ args }) => changes("write", optionsOf(args).operands),
  sponge: ({ args }) => changes("write", optionsOf(args).operands),
  dd: ({ args }) =>
    changes(
      "write",
      args.flatMap((arg) => (arg.startsWith("of=") ? arg.slice("of=".length) : [])),
    ),
  ed: ({ args }) => changes("write", optionsOf(args, { letters: "p" }).operands),
  red: ({ args }) => changes("write", optionsOf(args, { letters: "p" }).operands),
  ex: edited,
  vi: edited,
  vim: edited,
  nvim: edited,
  nano: edited,
  emacs: edited,
  sed: ({ args }) => sed(args),
  gsed: ({ args }) => sed(args),
  perl: ({ args }) => inPlace(args, "eEMmI"),
  ruby: ({ args }) => inPlace(args, "erI"),
  awk: awkInPlace,
  gawk: awkInPlace,
  script: ({ args }) => changes("write", optionsOf(args, { letters: "cEIoOBTt", names: ["command"] }).operands),
  yq: ({ args }) => (has(optionsOf(args), "i", "inplace") ? changes("write", optionsOf(args).operands.slice(1)) : []),
  sops: ({ args }) => (has(optionsOf(args), "i", "in-place") ? changes("write", optionsOf(args).operands) : []),
  patch,
  git: ({ args, stdin }) =>
    args[0] === "apply" && !args.includes("--check") && !args.includes("--cached")
      ? changes("write", patchedFiles(stdin))
      : [],
  ...Object.fromEntries(
    ["prettier", "biome", "eslint", "shfmt", "gofmt", "ruff", "dprint", "yamlfmt", "taplo"].map((name) => [
      name,
      formatted,
    ]),
  ),
};

/** A formatter that was told to write. */
function formatted({ args }: Call): Change[] {
  return args.some((arg) => /^(--write|-w|--fix|--fix-.*|format|fmt)$/.test(arg))
    ? changes("write", optionsOf(args).operands)
    : [];
}

function sed(args: readonly string[]): Change[] {
  const options = optionsOf(args, { letters: "efl", names: ["expression", "file"] });
  const programs = [...(options.values.get("-e") ?? []), ...(options.values.get("--expression") ?? [])];
  const isGiven = programs.length > 0 || options.flags.has("-f") || options.flags.has("--file");
  const written = [...programs, ...(isGiven ? [] : options.operands.slice(0, 1))].flatMap(
    (text) => /(?:^|[\s;{}/\dgp$])w\s+(\S+)\s*$/.exec(text.slice(-300))?.[1] ?? [],
  );
  // `-i.bak` reads as the letters of a cluster; the first is what counts.
  const isInPlace = args.some((arg) => /^(-[nrEsuz]*i|--in-place)/.test(arg));
  return [
    ...changes("write", written),
    ...(isInPlace ? changes("write", options.operands.slice(isGiven ? 0 : 1)) : []),
  ];
}

function inPlace(args: readonly string[], letters: string): Change[] {
  const isInPlace = args.some((arg) => /^-[a-zA-Z0]*i/.test(arg) && !/^-[MmI]/.test(arg));
  return isInPlace ? changes("write", optionsOf(args, { letters }).operands) : [];
}

function awkInPlace({ args }: Call): Change[] {
  const isInPlace = args.some((arg, index) => arg === "inplace" && /^(-i|--include)$/.test(args[index - 1] ?? ""));
  return isInPlace ? changes("write", optionsOf(args, { letters: "iFvf" }).operands.slice(1)) : [];
}

function patch({ args, stdin }: Call): Change[] {
  const options = optionsOf(args, { letters: "pidorBDFVYz", names: ["strip", "input", "directory", "output"] });
  if (options.flags.has("--dry-run")) return [];
  const output = given(options, "-o", "--output");
  return changes("write", [
    ...options.operands.slice(0, 1),
    ...(output === undefined ? [] : [output]),
    ...patchedFiles(stdin),
  ]);
}

/** The files that a diff or an `apply_patch` text names. */
export function patchedFiles(text: string | undefined): string[] {
  const files = new Set<string>();
  for (const line of (text ?? "").split("\n")) {
    const found =
      /^(?:\+\+\+|---) (?:[ab]\/)?([^\t]+)/.exec(line) ??
      /^\*\*\* (?:Add|Update|Delete) File: (.+)/.exec(line) ??
      /^\*\*\* Move to: (.+)/.exec(line) ??
      /^rename (?:from|to) (.+)/.exec(line);
    const name = found?.[1]?.trim();
    if (name !== undefined && name !== "/dev/null") files.add(name);
  }
  return [...files];
}
