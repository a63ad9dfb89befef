import { ANY, firstOf, given, has, isBelow, optionsOf, type Scene, type State, shown } from "@guards/shell";
import { lossOf, overwriteOf } from "../ground.ts";
import type { Rule, Rules } from "../rule.ts";

/** Programs that write files, and by that may lose what was there or where it came from. */
export const copies: Rules = {
  mv: move,
  cp: copy,
  install: copy,
  ln: link,
  dd: convert,
  tee,
  sponge: tee,
  rsync: synchronise,
  unzip: unpack,
  tar: unpack,
  bsdtar: unpack,
  curl: download,
  wget: download,
  crontab: ({ args }) =>
    args.includes("-r") || args.at(-1) === "/dev/null"
      ? "crontab -r would delete all of your scheduled jobs"
      : undefined,
};

const EMPTY_SOURCES = new Set(["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]);
const TARGET = { letters: "tSgmo", names: ["target-directory", "suffix", "group", "mode", "owner"] };

type Transfer = { sources: string[]; target: string };

function transferOf({ args, at }: Parameters<Rule>[0]): Transfer | undefined {
  const options = optionsOf(args, TARGET);
  const folder = given(options, "-t", "--target-directory");
  const sources = folder === undefined ? options.operands.slice(0, -1) : [...options.operands];
  const target = folder ?? options.operands.at(-1);
  if (target === undefined || sources.length === 0) return undefined;
  return { sources: sources.map((source) => at(source, "parents")), target: at(target) };
}

function move(call: Parameters<Rule>[0], scene: Scene): string | undefined {
  const transfer = transferOf(call);
  if (transfer === undefined) return undefined;
  const { sources, target } = transfer;
  const isGone =
    target === "/dev/null" ||
    (lossOf(scene, call.state, `${target}/x`) === undefined && !isBelow(`${target}/x`, scene.project));
  return (
    firstOf(sources, (source) => {
      const loss = lossOf(scene, call.state, source);
      const isOfAPerson = isBelow(source, scene.home) && !isBelow(source, scene.project);
      if (loss === undefined || (isOfAPerson && !isGone)) return undefined;
      return `mv would take away ${shown(source)}: ${loss}`;
    }) ?? overwritten("mv", transfer, call.state, scene)
  );
}

function copy(call: Parameters<Rule>[0], scene: Scene): string | undefined {
  const transfer = transferOf(call);
  if (transfer === undefined) return undefined;
  const loss = transfer.sources.some((source) => EMPTY_SOURCES.has(source))
    ? lossOf(scene, call.state, transfer.target)
    : undefined;
  if (loss !== undefined) return `${call.name} would empty ${shown(transfer.target)}: ${loss}`;
  return overwritten(call.name, transfer, call.state, scene);
}

function link(call: Parameters<Rule>[0], scene: Scene): string | undefined {
  const transfer = has(optionsOf(call.args), "f", "force") ? transferOf(call) : undefined;
  return transfer === undefined ? undefined : overwritten("ln", transfer, call.state, scene);
}

function overwritten(name: string, { target }: Transfer, state: State, scene: Scene): string | undefined {
  const loss = overwriteOf(scene, state, target);
  return loss === undefined ? undefined : `${name} would write over ${shown(target)}: ${loss}`;
}

function convert({ args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const target = args.find((arg) => arg.startsWith("of="))?.slice("of=".length);
  const loss = target === undefined ? undefined : lossOf(scene, state, at(target));
  return loss === undefined ? undefined : `dd would overwrite ${shown(target ?? "")}: ${loss}`;
}

function tee({ name, args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const options = optionsOf(args);
  const isAdding = has(options, "a", "append");
  return firstOf(options.operands, (operand) => {
    const path = at(operand);
    const loss =
      path.startsWith(ANY) || (isAdding && !path.startsWith("/dev/")) ? undefined : lossOf(scene, state, path);
    return loss === undefined ? undefined : `${name} would overwrite ${shown(operand)}: ${loss}`;
  });
}

function synchronise({ args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const options = optionsOf(args, { letters: "efTBM", names: ["exclude", "include", "filter", "rsh"] });
  if (has(options, "n", "dry-run")) return undefined;
  const isDeleting = [...options.flags].some((flag) => /^--(del|delete)/.test(flag));
  const isTaking = options.flags.has("--remove-source-files");
  const target = options.operands.at(-1) ?? "";
  const lost = [...(isDeleting ? [target] : []), ...(isTaking ? options.operands.slice(0, -1) : [])];
  return firstOf(lost, (operand) => {
    // `host:path` is not of this machine; what a deployment mirrors there is its own business.
    const loss = /^[^/]+:/.test(operand) ? undefined : lossOf(scene, state, at(operand));
    return loss === undefined ? undefined : `rsync would delete in ${shown(operand)}: ${loss}`;
  });
}

function unpack({ name, args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const letter = name === "unzip" ? "d" : "C";
  const options = optionsOf(args, { letters: letter, names: ["directory"] });
  const isPacking = name !== "unzip" && !/^-?\w*x/.test(args[0] ?? "") && !has(options, "x", "extract", "get");
  if (isPacking) {
    const taken = options.flags.has("--remove-files") ? options.operands.slice(1) : [];
    return firstOf(taken, (path) => {
      const loss = lossOf(scene, state, at(path, "parents"));
      return loss === undefined ? undefined : `tar would take away ${shown(path)}: ${loss}`;
    });
  }
  const target = given(options, `-${letter}`, "--directory");
  const path = target === undefined ? state.cwd : at(target);
  const loss = path === "/" ? "that is the root of the system" : overwriteOf(scene, state, path);
  return loss === undefined ? undefined : `${name} would write over files in ${shown(path)}: ${loss}`;
}

function download({ name, args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const options = optionsOf(args, {
    letters: name === "curl" ? "oXdHFuAeTbcm" : "OoPT",
    names: ["output", "output-document", "request"],
  });
  const target = given(options, name === "curl" ? "-o" : "-O", "--output", "--output-document");
  const loss = target === undefined ? undefined : overwriteOf(scene, state, at(target));
  if (loss !== undefined) return `${name} would write over ${shown(target ?? "")}: ${loss}`;
  const isDelete = name === "curl" && /^delete$/i.test(given(options, "-X", "--request") ?? "");
  const index = isDelete ? options.operands.find((url) => /:9[23]00(\/|$)/.test(url)) : undefined;
  return index === undefined ? undefined : `curl would delete ${shown(index)} from the search index`;
}
