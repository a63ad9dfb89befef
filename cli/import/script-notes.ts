import { builtinModules } from "node:module";
import { placeOfSign, type ScriptText } from "./script-text.ts";

/** What in a hook's texts will not do here what it did there, whichever host it is. */
export function scriptNotes(texts: readonly ScriptText[]): string[] {
  return [...SIGNS.flatMap(({ sign, why }) => noted(texts, sign, why)), ...texts.flatMap(moduleNotes)];
}

const SIGNS = [
  {
    sign: />>?\s?["']?(\$\{?(CLAUDE_)?PROJECT_DIR|\.?[\w-][\w./-]*\.(log|txt|jsonl?|md)\b)|\btee\b.{0,20}PROJECT_DIR/,
    why: "it writes below the project, for which capabilities.write must name the folder",
  },
  {
    sign: /PROJECT_DIR\}?["']?\/\.(claude|codex|gemini|qwen|peri|astracode)\//,
    why: "it names the project's own file, which is no part of what is approved",
  },
  {
    sign: /(^|[\s"'=(:])~\/|\$\{?HOME\b|expanduser|Path\.home\(|homedir\(|\benv\.HOME\b/,
    why: "home is an empty folder here: what it looks for there is not there, and what it keeps there does not stay",
  },
  { sign: /transcript_path/, why: "no handler sees the transcript" },
  {
    sign: /\b(npx|uvx|bunx|pipx run|uv run|pnpm dlx|yarn dlx)\b/,
    why: "it may fetch what it runs, and nothing is fetched here: bring it along",
  },
  {
    sign: /^\s*(import|from) (yaml|requests|httpx|aiohttp|pydantic|toml|tomli|rich|dotenv|anthropic|openai|git|click|psutil|bashlex|sqlparse|jsonschema)\b/,
    why: "it imports what the system's Python may not have: bring it along",
  },
];

function noted(texts: readonly ScriptText[], sign: RegExp, why: string): string[] {
  const place = placeOfSign(texts, sign);
  return place === undefined ? [] : [`${why} (${place})`];
}

const IMPORT = /(?:\bfrom|\bimport|\brequire\()\s{0,3}["']([^"'./\s][^"'\s]{0,100})["']/;

/** package.json and node_modules are never packed: what hangs on them fails. */
function moduleNotes({ name, lines }: ScriptText): string[] {
  if (!/\.[cm]?[jt]s$/.test(name)) return [];
  const isModule =
    name.endsWith(".js") && lines.some((line) => /^(import\s.{0,200}\bfrom\s|import\s?["']|export\s)/.test(line));
  const bare = lines.flatMap((line) => IMPORT.exec(line)?.[1] ?? []).filter((one) => !isBuiltin(one));
  return [
    ...(isModule ? [`${name} is a module by package.json, which is never packed: call it .mjs`] : []),
    ...(bare.length > 0
      ? [`${name} imports ${bare.slice(0, 5).join(", ")}, and node_modules is never packed: bundle it`]
      : []),
  ];
}

function isBuiltin(name: string): boolean {
  return /^(node|bun):/.test(name) || builtinModules.includes(name);
}
