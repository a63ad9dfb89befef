import { HOOK_SOURCES, type HookSource } from "@hookpkg/hosts";
import { type Capabilities, capabilitiesSchema, NO_CAPABILITIES, netTarget } from "@hookpkg/spec";
import { placeOfSign, type ScriptText } from "./script-text.ts";

/** A right that is asked for, and what in the scripts asks for it; `programs` stand in `requires`. */
export type Asked = { why: string } & (
  | { kind: "project" }
  | { kind: "read" | "net" | "env" | "program"; name: string }
);

const READS_PROJECT = new RegExp(
  [
    /PROJECT_DIR|\bcwd\b|getcwd|\bpwd\b|\$PWD|\bgit (rev-parse|status|diff|log|branch|ls-files|show|config)\b/,
    /(?:\[\[?|\btest)\s(?:!\s)?-[efdrswxLh]\s["']?[\w.]/,
    /\b(open|readFile|readFileSync|existsSync|statSync|isfile|exists|Path|file)\(["'`](?!\/)[\w.-]/,
    /\b(cat|grep|wc|head|tail|sed|awk|test|stat)\b.{0,60}\$\{?(FILE|file|path|PATH_)|\[\[? -[fedrs] "?\$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** A script that knows the event's file, and opens one that is not its stdin. */
const NAMES_FILE = /file_path|notebook_path|filePath/;
const OPENS_FILE = /\b(open|readFile|readFileSync|existsSync|statSync|isfile|Path)\((?!0|["'`]\/dev\/stdin|sys\.stdin)/;
const TALKS =
  /\b(curl|wget|fetch\s?\(|requests\.|urllib|httpx|aiohttp|http\.client|https?\.(request|get)|axios|XMLHttpRequest|Net::HTTP|nc )/;
const URLS = /https?:\/\/[A-Za-z0-9._:[\]-]{1,253}/g;
const READS_ENV = [
  /\bos\.environ(?:\.get\(|\[)\s?["']([A-Za-z_][A-Za-z0-9_]{0,99})["']/g,
  /\bos\.getenv\(\s?["']([A-Za-z_][A-Za-z0-9_]{0,99})["']/g,
  /\b(?:process|Bun|Deno)\.env\.([A-Za-z_][A-Za-z0-9_]{0,99})/g,
  /\b(?:process|Bun)\.env\[["']([A-Za-z_][A-Za-z0-9_]{0,99})["']/g,
  /\bENV(?:\.fetch\(|\[)["']([A-Za-z_][A-Za-z0-9_]{0,99})["']/g,
];
const SHELL_VARIABLE = /\$\{?([A-Z_][A-Z0-9_]{1,99})\b/g;
/** Set in every sandbox, by the shell, or by hookpkg itself. */
const GIVEN =
  /^(PATH|HOME|PWD|OLDPWD|TMPDIR|LANG|IFS|SHELL|USER|LOGNAME|UID|EUID|RANDOM|SECONDS|LINENO|OPTARG|OPTIND|REPLY|BASH_[A-Z_]+|FUNCNAME|PIPESTATUS|PPID|(CLAUDE_)?(PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR)|PLUGIN_OPTIONS|CLAUDE_PLUGIN_OPTION_\w+)$/;
const PROGRAMS =
  "python3 python node bun deno npx npm pnpm uv uvx ruby perl php go cargo java jq yq git gh curl wget rg bash zsh pwsh docker make prettier eslint black ruff gofmt shellcheck notify-send osascript tsc".split(
    " ",
  );

/** The rights that these texts need: read, not guessed. What a text does not show, nobody asks for here. */
export function askedBy(texts: readonly ScriptText[]): Asked[] {
  return texts.flatMap((text) => {
    const known = read.get(text) ?? askedIn([text]);
    read.set(text, known);
    return known;
  });
}

/** Many handlers reach the same script. */
const read = new WeakMap<ScriptText, Asked[]>();

function askedIn(texts: readonly ScriptText[]): Asked[] {
  const project =
    placeOfSign(texts, READS_PROJECT) ?? (placeOfSign(texts, NAMES_FILE) && placeOfSign(texts, OPENS_FILE));
  return [
    ...(project === undefined ? [] : [{ kind: "project" as const, why: project }]),
    ...(placeOfSign(texts, TALKS) === undefined ? [] : texts.flatMap(hostsIn)),
    ...texts.flatMap(variablesIn),
    ...PROGRAMS.flatMap((name) => {
      const why = placeOfSign(texts, started(name));
      return why === undefined ? [] : [{ kind: "program" as const, name, why }];
    }),
  ];
}

/** Of one kind of right; a manifest takes no more. */
const MAX_NAMES = 64;

/** What is asked for in the form of a manifest, what can never be granted apart. */
export function capabilitiesOf(asked: readonly Asked[]): { capabilities: Capabilities; refused: Asked[] } {
  const refused: Asked[] = [];
  const seen = new Map<string, Set<string>>();
  const granted = asked.filter((one) => {
    if (!("name" in one) || one.kind === "program") return true;
    const names = seen.get(one.kind) ?? new Set();
    seen.set(one.kind, names.add(one.name));
    const fits = names.size <= MAX_NAMES && capabilitiesSchema.safeParse({ [one.kind]: [one.name] }).success;
    if (!fits) refused.push(one);
    return fits;
  });
  const names = (kind: Asked["kind"]) =>
    granted.flatMap((one) => (one.kind === kind && "name" in one ? [one.name] : []));
  const has = (kind: Asked["kind"]) => granted.some((one) => one.kind === kind);
  const capabilities = capabilitiesSchema.parse({
    project: has("project") ? "read" : "none",
    read: names("read"),
    net: names("net"),
    env: names("env"),
  });
  return { capabilities: has("project") || granted.length > 0 ? capabilities : NO_CAPABILITIES, refused };
}

function hostsIn({ name, lines }: ScriptText): Asked[] {
  return lines.flatMap((line) =>
    [...line.matchAll(URLS)].flatMap(([url]) => {
      const net = netTarget(url.replace(/[.:]+$/, ""))?.net;
      return net === undefined ? [] : [{ kind: "net" as const, name: net, why: `${name}: ${url}` }];
    }),
  );
}

function variablesIn({ name, lines }: ScriptText): Asked[] {
  const isShell = !/\.(py|js|mjs|cjs|ts|mts|rb|pl|php)$/.test(name);
  const set = new Set(
    lines.flatMap((line) =>
      [...line.matchAll(/\b([A-Za-z_]\w{0,99})\+?=|\bread (?:-r )?(\w+)|\bfor (\w+) in/g)].flatMap(([, a, b, c]) => [
        a ?? b ?? c ?? "",
      ]),
    ),
  );
  const patterns = isShell ? [...READS_ENV, SHELL_VARIABLE] : READS_ENV;
  return lines.flatMap((line) =>
    patterns.flatMap((pattern) =>
      [...line.matchAll(pattern)].flatMap(([found, variable = ""]) =>
        isOurs(variable) || (pattern === SHELL_VARIABLE && set.has(variable))
          ? []
          : [{ kind: "env" as const, name: variable, why: `${name}: ${found}` }],
      ),
    ),
  );
}

function isOurs(variable: string): boolean {
  return GIVEN.test(variable) || HOOK_SOURCES.some(({ variables }: HookSource) => variables.test(variable));
}

/** A program where a shell or a script would start it, not where a text speaks of it. */
function started(program: string): RegExp {
  const name = program.replace(/[.+-]/g, "\\$&");
  const inShell = `(?:^\\s*|[;&|(\`{]\\s*|\\b(?:then|do|else|if|while|exec|env|command -v|which|xargs)\\s{1,3}|!\\s)${name}(?=\\s|$|["';)])`;
  const inCode = `(?:exec\\w*|spawn\\w*|run|call|check_output|check_call|Popen|system|which|\\$)\\s?\\(?\\s?\\[?\\s?["'\`]${name}(?=[\\s"'\`])`;
  const inShebang = `^#!.{0,60}[/ ]${name}(?:\\s|$)`;
  return new RegExp(`${inShebang}|${inShell}|${inCode}`);
}
