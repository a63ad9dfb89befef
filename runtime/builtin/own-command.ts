import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { type Call, isKnown } from "@guards/shell";

/** What changes what runs, or speaks for a host. The rest of the command only looks, or ends in an approval. */
const ASKED = new Set([
  "approve",
  "attach",
  "bridge",
  "daemon",
  "data",
  "detach",
  "disable",
  "emit",
  "order",
  "run",
  "safe-mode",
  "setup",
  "team",
  "uninstall",
  "un",
  "remove",
]);
/** Flags that take the next word. */
const VALUED = new Set(["--project", "--home", "--registry"]);

/** The words of hookpkg that a call would run and a person must be asked about; undefined when it is another program, or only looks. */
export function ownCommand(call: Call): string | undefined {
  const { state } = call;
  // On another machine, or in a container, it is another person's.
  if (state.isRemote || state.mounts !== undefined) return undefined;
  const words = ownWords(call);
  if (words === undefined) return undefined;
  const { verb, rest } = verbOf(words);
  if (verb === undefined || [verb, ...rest].some((word) => word === "--help" || word === "-h")) return undefined;
  if (!isKnown(verb)) return "a command that cannot be read";
  return ASKED.has(verb) && !onlyLooks(verb, rest) ? verb : undefined;
}

function onlyLooks(verb: string, rest: readonly string[]): boolean {
  const flags = rest.filter((word) => word.startsWith("-"));
  if (verb === "daemon") return rest[0] === "status";
  if (verb === "order") return flags.every((flag) => flag === "--json");
  if (verb === "approve") return flags.includes("--list") && !flags.some((flag) => CONSENTS.test(flag));
  return verb === "attach" && (flags.includes("--list") || flags.includes("--print"));
}

const CONSENTS = /^--(identity|key|drop|reject|order|start-over|policy)/;

function verbOf(words: readonly string[]): { verb?: string; rest: readonly string[] } {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (VALUED.has(word)) at++;
    else if (!word.startsWith("-")) return { verb: word, rest: words.slice(at + 1) };
  }
  return { rest: [] };
}

/** Programs that run another one by name: behind some, only behind one of their verbs. */
const LAUNCHERS: Readonly<Record<string, readonly string[] | null>> = {
  npx: null,
  bunx: null,
  pnpx: null,
  bun: null,
  node: null,
  nodejs: null,
  tsx: null,
  deno: null,
  npm: ["run", "run-script", "exec", "x"],
  pnpm: ["run", "exec", "dlx"],
  yarn: null,
};

/** The words after hookpkg's own name. */
function ownWords({ name, args, at }: Call): readonly string[] | undefined {
  if (isOwnName(name) || (isKnown(name) && OWN_PROGRAMS.has(at(name)))) return args;
  if (!Object.hasOwn(LAUNCHERS, name)) return undefined;
  const verbs = LAUNCHERS[name] ?? null;
  if (verbs !== null && !args.some((arg) => verbs.includes(arg))) return undefined;
  const found = args.findIndex((arg) => isKnown(arg) && (isOwnName(basename(arg)) || OWN_PROGRAMS.has(at(arg))));
  // A word before it that is no option is the program: the name is only something that it is told.
  const before = args.slice(0, Math.max(0, found)).filter((arg) => !arg.startsWith("-") && !isLead(arg, verbs));
  return found < 0 || before.length > 0 ? undefined : args.slice(found + 1).filter((arg) => arg !== "--");
}

function isLead(word: string, verbs: readonly string[] | null): boolean {
  return verbs?.includes(word) === true || ["run", "x", "exec", "dlx"].includes(word);
}

function isOwnName(name: string): boolean {
  return /^hookpkg(@[\w.^~-]+)?(\.(exe|js|mjs|cmd))?$/i.test(name);
}

/** This very program: the source's main, or the binary. */
const OWN_PROGRAMS: ReadonlySet<string> = new Set(
  import.meta.path.startsWith("/$bunfs/")
    ? [process.execPath, realPath(process.execPath)]
    : [join(import.meta.dir, "../../cli/main.ts")].flatMap((path) => [path, realPath(path)]),
);

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
