import { posix } from "node:path";
import { LEGACY_NOTIFY } from "@hookpkg/hosts";
import { netTarget } from "@hookpkg/spec";
import { converted } from "./command.ts";
import { asTable } from "./declaring.ts";
import type { Found } from "./hooks.ts";
import { inHostWords, inItsShell } from "./host-words.ts";
import type { Asked } from "./rights.ts";
import { type ScriptText, scriptText } from "./script-text.ts";
import type { Source } from "./source.ts";
import type { Tree } from "./tree.ts";

/** What a handler runs, in our form. `texts`: all of it that can be read. */
export type Run = {
  entry: Readonly<Record<string, unknown>>;
  texts: readonly ScriptText[];
  asked: readonly Asked[];
  stem: string | undefined;
  /** Variables that the command sets by itself. */
  set?: readonly string[];
  notes: readonly string[];
};
type Refused = { why: string };
type Kind = (found: Found, source: Source, tree: Tree) => Run | Refused;

/** Every type of hook that has a form here. */
const KINDS: Readonly<Record<string, Kind>> = { command, http, prompt: asking, agent: asking };

export function runOf(found: Found, source: Source, tree: Tree): Run | Refused {
  if (found.notify !== undefined) return notifier(found.notify, source, tree);
  const kind = Object.hasOwn(KINDS, found.type) ? KINDS[found.type] : undefined;
  return kind?.(found, source, tree) ?? { why: `hooks of the type ${found.type.slice(0, 40)} have no form here` };
}

function command(found: Found, source: Source, tree: Tree): Run | Refused {
  const { command: line, entry } = found;
  if (line === null || line.trim() === "") return { why: "it has no command" };
  if (entry.shell !== undefined && entry.shell !== "bash" && entry.shell !== "sh")
    return { why: `its shell is ${String(entry.shell).slice(0, 40)}` };
  const args = entry.args;
  if (args === undefined) return shell(line, found, source, tree);
  if (!Array.isArray(args) || !args.every((one): one is string => typeof one === "string"))
    return { why: "its args are no list of words" };
  return words([line, ...args], source, tree);
}

function shell(line: string, { entry, matcher, event }: Found, source: Source, tree: Tree): Run | Refused {
  const made = converted(line, source, tree);
  if ("why" in made) return made;
  const texts = textsOf(made.text, made.files, tree);
  const set = exportsOf(entry.env);
  const places = Object.entries(source.host.places).flatMap(([name, place]) =>
    /^\w+$/.test(name) && texts.some(({ lines }) => lines.some((text) => text.includes(name)))
      ? [`export ${name}="\${${place}}"; `]
      : [],
  );
  const inBash = inItsShell(made.text, entry.shell ?? source.host.shell);
  const plain = `${[...places, ...set.lines].join("")}${inBash.text}`;
  const translated = inHostWords(plain, { texts, matcher, event }, source, tree);
  return {
    entry: { type: "command", command: translated.text },
    texts,
    set: set.names,
    asked: [...filesAsked([made], line), ...inBash.asked],
    stem: stemOf(made.files[0]),
    notes: [...made.notes, ...set.notes, ...inBash.notes, ...translated.notes],
  };
}

function words(argv: readonly string[], source: Source, tree: Tree): Run | Refused {
  const made = argv.map((word) => converted(word, source, tree));
  const refused = made.find((one) => "why" in one);
  if (refused !== undefined && "why" in refused) return refused;
  const parts = made.flatMap((one) => ("why" in one ? [] : [one]));
  const files = parts.flatMap((one) => one.files);
  const text = parts.map((one) => one.text);
  return {
    entry: { type: "command", argv: text },
    texts: textsOf(text.join(" "), files, tree),
    asked: filesAsked(parts, argv.join(" ")),
    stem: stemOf(files[0]),
    notes: parts.flatMap((one) => one.notes),
  };
}

function filesAsked(parts: readonly { reads: readonly string[]; project?: string }[], command: string): Asked[] {
  const why = `command: ${command.slice(0, 80)}`;
  return parts.flatMap(({ reads, project }) => [
    ...(project === undefined ? [] : [{ kind: "project" as const, why }]),
    ...reads.map((name) => ({ kind: "read" as const, name, why })),
  ]);
}

function http({ entry }: Found): Run | Refused {
  const { url, headers } = entry;
  const net = typeof url === "string" ? netTarget(url)?.net : undefined;
  if (typeof url !== "string" || net === undefined) return { why: "its url is no plain address of a named host" };
  const allowed = [entry.allowedEnvVars ?? entry.allowed_env_vars ?? []]
    .flat()
    .filter((one) => typeof one === "string");
  const texts = Object.entries(asTable(headers) ?? {}).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[name, value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, a?: string, b?: string) => `\${${a ?? b}}`)] as const]
      : [],
  );
  const used = texts.flatMap(([, value]) => [...value.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name));
  const secret = used.find((name) => !allowed.includes(name));
  if (secret !== undefined) return { why: `a header names ${secret}, which the hook does not allow itself` };
  return {
    entry: { type: "http", url, ...(texts.length === 0 ? {} : { headers: Object.fromEntries(texts) }) },
    texts: [],
    asked: [
      { kind: "net", name: net, why: `http: ${url.slice(0, 80)}` },
      ...used.map((name): Asked => ({ kind: "env", name, why: "a header of an http hook" })),
    ],
    stem: undefined,
    notes: [],
  };
}

function asking({ type, entry }: Found): Run | Refused {
  if (typeof entry.prompt !== "string" || entry.prompt.trim() === "") return { why: "it has no prompt" };
  return {
    entry: { type, prompt: entry.prompt },
    texts: [],
    asked: [],
    stem: undefined,
    notes:
      entry.model === undefined
        ? []
        : [`its model ${String(entry.model).slice(0, 60)} is your small one here: \`model: "large"\` is the other`],
  };
}

/** A program of old has its event as the last word: a script stands between. */
function notifier(argv: readonly string[], source: Source, tree: Tree): Run | Refused {
  const made = words(argv, source, tree);
  if ("why" in made) return made;
  const { file, script, program, event } = LEGACY_NOTIFY;
  tree.put(file, script);
  const own = Array.isArray(made.entry.argv) ? made.entry.argv : [];
  return {
    ...made,
    entry: { type: "command", argv: [program, `\${PLUGIN_ROOT}/${file}`, ...own] },
    asked: [...made.asked, { kind: "program", name: program, why: `${file} hands the event on as an argument` }],
    stem: LEGACY_NOTIFY.key,
    notes: [
      ...made.notes,
      `${event} is told by Eva and by embedders; where a host has Stop alone, declare it for Stop`,
    ],
  };
}

function textsOf(command: string, files: readonly string[], tree: Tree): ScriptText[] {
  const reached = new Set(files.flatMap((file) => [...tree.reached(file)]));
  return [scriptText("command", command), ...[...reached].map((file) => tree.script(file))];
}

/** Values that the hook's own entry sets. */
function exportsOf(env: unknown): { names: string[]; lines: string[]; notes: string[] } {
  const set = Object.entries(asTable(env) ?? {}).filter(
    ([name, value]) => /^[A-Za-z_]\w{0,99}$/.test(name) && typeof value === "string",
  );
  const lines = set.map(([name, value]) => `export ${name}='${String(value).replaceAll("'", `'\\''`)}'; `);
  return {
    names: set.map(([name]) => name),
    lines,
    notes: set.length === 0 ? [] : [`the values of ${set.map(([name]) => name).join(", ")} stand in the command now`],
  };
}

function stemOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : posix.basename(file).replace(/\.[^.]+$/, "");
}
