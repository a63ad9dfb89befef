import { z } from "zod";
import { LOOPBACK_NAMES, netName } from "./net-name.ts";

export const MEMORY_MIB = { default: 512, min: 64, max: 4096 };
export const DATA_MIB = { default: 64, min: 0, max: 4096 };

/** Rights in normal form: sorted, de-duplicated, every key present. What the sandbox enforces. */
export type Capabilities = {
  project: "none" | "read";
  /** Paths that may be read: absolute, `~/…` or relative to the project. A folder is written without `/**`. */
  read: readonly string[];
  /** Folders below the project that may be written, or `$file`: the one file the event names. */
  write: readonly string[];
  /** `name:port`, lower case. */
  net: readonly string[];
  env: readonly string[];
  model: boolean;
  limits: { memoryMiB: number; dataMiB: number };
};

export const NO_CAPABILITIES: Capabilities = {
  project: "none",
  read: [],
  write: [],
  net: [],
  env: [],
  model: false,
  limits: { memoryMiB: MEMORY_MIB.default, dataMiB: DATA_MIB.default },
};

/** Variables that change what a program loads: never granted (the list only grows). */
const LOADER_VARIABLE =
  /^(LD_|DYLD_|BUN_|NODE_|PYTHON|PERL|RUBY|BASH_|GIT_|NPM_|npm_)|^(PATH|HOME|ENV|IFS|SHELLOPTS|TMPDIR|PLUGIN_|CLAUDE_)/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

const names = (...lines: string[]) => lines.flatMap((line) => line.split(" "));

/** Those of NEVER_WRITTEN that a program acts on as soon as it looks. */
const ACTED_ON_AT_SIGHT = names(
  ".git .vscode .envrc .npmrc .mcp.json .hookpkg .claude .codex .gemini .qwen .cursor .opencode",
  "package.json bunfig.toml agents.md claude.md gemini.md qwen.md",
);

/** Names that run later by themselves or steer an agent, in lower case: no grant to write may reach them. The list only grows. */
export const NEVER_WRITTEN: ReadonlySet<string> = new Set([
  ...ACTED_ON_AT_SIGHT,
  ...names(
    ".gitmodules .gitattributes .hg .svn .jj .github .gitlab .gitlab-ci.yml .circleci .husky .lefthook .lefthook.yml lefthook.yml",
    ".pre-commit-config.yaml .idea .zed .fleet .devcontainer .devcontainer.json .exrc .nvim.lua .nvimrc .vimrc .dir-locals.el",
    ".mise .mise.toml mise.toml .bashrc .bash_profile .profile .zshrc .zshenv mcp.json",
    ".yarn .yarnrc .yarnrc.yml .pnpmfile.cjs .bunfig.toml .cargo sitecustomize.py usercustomize.py",
    ".cursorrules .windsurf .windsurfrules .cline .clinerules .roo .roorules .roomodes .kilocode .kilocodemodes .continue .continuerules",
    ".aider.conf.yml opencode.json opencode.jsonc .crush .crush.json crush.json .copilot .junie .trae .augment .augment-guidelines",
    ".amazonq .kiro .goose .goosehints .factory .agent .agents .rules",
    "agent.md agents.override.md agents.local.md claude.local.md crush.md copilot-instructions.md skill.md",
  ),
]);

/** As programs spell them; where they are absent they stay so while a handler runs. */
export const KEPT_ABSENT: readonly string[] = ACTED_ON_AT_SIGHT.map((name) =>
  name.endsWith(".md") ? `${name.slice(0, -3).toUpperCase()}.md` : name,
);

const path = z
  .string()
  .min(1)
  .max(1024)
  .refine(
    (text) => !/[\u0000-\u001f\u007f\\*?[\]{}]/.test(text.replace(/\/\*\*$/, "")),
    "a path, or a path and /** for a folder",
  )
  .refine((text) => !text.split("/").includes(".."), "a path without ..")
  .refine((text) => !/^(\/|~\/?|\.\/?)?(\/\*\*)?$/.test(text), "something narrower than a whole root");

const writePath = z.union([
  z.literal("$file"),
  path
    .refine((text) => !/^[/~]/.test(text), "a folder below the project")
    .refine(
      (text) => !/^(\.\/)?\./.test(text.replace(/^\.\//, "")),
      "no name at the project's root that starts with a dot",
    )
    .refine(
      (text) => !text.split("/").some((part) => NEVER_WRITTEN.has(part.toLowerCase())),
      "nothing that runs later by itself",
    ),
]);

const net = z
  .string()
  .refine(
    (text) => netName(text) !== undefined,
    `a host name, with a port if it is not 443; this machine is ${[...LOOPBACK_NAMES].join(", ")}, other addresses have no name`,
  )
  .transform((text) => netName(text) ?? "");

const env = z
  .string()
  .refine((text) => ENV_NAME.test(text), "the name of an environment variable")
  .refine((text) => !LOADER_VARIABLE.test(text), "a variable that does not change what programs load");

const MAX_ENTRIES = 64;
const list = <T extends z.ZodType<string>>(entry: T) => z.array(entry).max(MAX_ENTRIES).default([]);

export const capabilitiesSchema = z
  .strictObject({
    project: z.enum(["none", "read"]).default("none"),
    read: list(path),
    write: list(writePath),
    net: list(net),
    env: list(env),
    model: z.boolean().default(false),
    limits: z
      .strictObject({
        memoryMiB: z.int().min(MEMORY_MIB.min).max(MEMORY_MIB.max).default(MEMORY_MIB.default),
        dataMiB: z.int().min(DATA_MIB.min).max(DATA_MIB.max).default(DATA_MIB.default),
      })
      .prefault({}),
  })
  .transform(
    (asked): Capabilities => ({
      ...asked,
      read: sorted(asked.read.map(plainPath)),
      write: sorted(asked.write.map(plainPath)),
      net: sorted(asked.net),
      env: sorted(asked.env),
    }),
  );

function plainPath(text: string): string {
  return text
    .replace(/\/\*\*$/, "")
    .replace(/^\.\//, "")
    .replace(/\/+$/, "");
}

/** Sorted by UTF-8 bytes and de-duplicated: how every list of a normal form is written. */
export function sorted<T extends string>(list: readonly T[]): T[] {
  return [...new Set(list)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** The rights in words that a person is asked about, one line each; empty when it asks for nothing. */
export function capabilityWords(rights: Capabilities): string[] {
  const words: string[] = [];
  if (rights.project === "read") words.push("reads the project's files (secrets and hookpkg's own files masked)");
  for (const name of rights.read) words.push(`reads ${name}`);
  for (const name of rights.write)
    words.push(name === "$file" ? "writes the file that the event names" : `writes below ${name}`);
  for (const name of rights.net) words.push(`uses the network: every matched event can leave this machine to ${name}`);
  for (const name of rights.env) words.push(`gets the value of ${name}`);
  if (rights.model) words.push("asks your model");
  const { memoryMiB, dataMiB } = rights.limits;
  if (memoryMiB !== MEMORY_MIB.default) words.push(`uses up to ${memoryMiB} MiB of memory`);
  if (dataMiB !== DATA_MIB.default) words.push(`keeps up to ${dataMiB} MiB of data`);
  return words;
}
