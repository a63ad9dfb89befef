import { posix } from "node:path";
import { LIMITS, type PackageFile, readFileBelow } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { HOOK_SOURCES } from "@hookpkg/hosts";
import { HOOKS_FILE, isPaper } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { mentionsIn } from "./mentions.ts";
import { type ScriptText, scriptText } from "./script-text.ts";
import type { Source } from "./source.ts";

const CODE = /\.(py|sh|bash|zsh|js|mjs|cjs|ts|mts|rb|pl|php|jq|awk|sed)$/;
const IS_SCRIPT = /^#!/;
const DATA = /\.(json|ya?ml|toml|txt|csv|list|conf)$/;
/** Parts of a plugin that are no hooks: left out, but for files in them that a hook names. */
const OTHER_PARTS =
  /^(commands|agents|skills|output-styles|prompts|themes|policies|assets|tests?|docs)\/|^(GEMINI|QWEN|CLAUDE|AGENTS)\.md$/;
/** What declared the hooks there declares nothing here. */
const MANIFESTS = new Set(HOOK_SOURCES.flatMap(({ manifests }) => manifests));
/** A word that is the name of more files than this means none of them. */
const MAX_OF_ONE_NAME = 5;
/** Files that one hook is taken to run. */
const MAX_REACHED = 100;
/** Bytes of a file that is read for what it names. */
const MAX_TEXT_BYTES = 512 * 1024;

/** The files that go into the package: a plugin's own, or of a project those that its hooks name and what these name in turn. */
export class Tree {
  readonly #source: Source;
  readonly #own: ReadonlyMap<string, PackageFile>;
  /** By the path in the package. */
  readonly #taken = new Map<string, PackageFile & { from: string }>();
  readonly #scripts = new Map<string, ScriptText>();
  /** Of a plugin the files that come along only when they are named, by their last word. */
  readonly #others = new Map<string, string[]>();
  readonly #missed = new Map<string, readonly [from: string, path: string]>();
  #bytes = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#own = new Map((source.files ?? []).map((file) => [file.path, file]));
    const read = [source.manifest?.file, ...source.declaring.map(({ file }) => file)];
    for (const file of this.#own.values())
      if (!OTHER_PARTS.test(file.path) && !MANIFESTS.has(file.path) && !read.includes(file.path))
        this.#take(file.path, file);
      else if (OTHER_PARTS.test(file.path)) {
        const name = posix.basename(file.path);
        this.#others.set(name, [...(this.#others.get(name) ?? []), file.path].slice(0, MAX_OF_ONE_NAME));
      }
  }

  /** The package's path of a file that a command names below the source's root; undefined where it is none that may come along. */
  named(path: string): string | undefined {
    const plain = posix.normalize(path);
    if (plain.startsWith("..") || posix.basename(plain).startsWith(".")) return undefined;
    const inSettings = plain.startsWith(`${this.#source.host.settings.folder}/`);
    const file = this.#read(plain);
    if (file === undefined) return undefined;
    // In a project a word may be any file of it: only what can be a hook's comes along.
    if (this.#source.files === undefined && !inSettings && !CODE.test(plain) && !file.executable) return undefined;
    return this.#takeWithMentions(plain, file);
  }

  /** A file of our own making, which stands for any of that name. */
  put(path: string, text: string): void {
    this.#taken.set(path, { path, from: path, executable: false, bytes: new TextEncoder().encode(text) });
  }

  /** Whether a file of this name is there, whether it comes along or not. */
  isThere(path: string): boolean {
    return this.#read(posix.normalize(path)) !== undefined;
  }

  /** What a script of the package says, empty for what is none. */
  text(path: string): string {
    const bytes = this.#taken.get(path)?.bytes;
    if (bytes !== undefined && !CODE.test(path) && !IS_SCRIPT.test(Buffer.from(bytes.subarray(0, 2)).toString()))
      return "";
    return bytes === undefined || bytes.byteLength > MAX_TEXT_BYTES || bytes.includes(0)
      ? ""
      : new TextDecoder().decode(bytes);
  }

  /** The same, as it is searched for what it asks. */
  script(path: string): ScriptText {
    const known = this.#scripts.get(path) ?? scriptText(path, this.text(path));
    this.#scripts.set(path, known);
    return known;
  }

  /** A file and all that it names, and what these name. */
  reached(path: string, seen = new Set<string>()): ReadonlySet<string> {
    const from = this.#taken.get(path)?.from;
    if (from === undefined || seen.has(path) || seen.size >= MAX_REACHED) return seen;
    seen.add(path);
    for (const next of this.#mentioned(from, this.text(path))) this.reached(next, seen);
    return seen;
  }

  files(): PackageFile[] {
    return [...this.#taken.values()].map(({ path, executable, bytes }) => ({ path, executable, bytes }));
  }

  /** Files that a script which comes along names, and that do not: what it names them for is not there. */
  missed(): (readonly [from: string, path: string])[] {
    return [...this.#missed.values()];
  }

  /** Folders and files at the top of a plugin that stay behind. */
  leftOut(): string[] {
    const declared = [HOOKS_FILE, ...this.#source.declaring.map(({ file }) => file), ...MANIFESTS];
    const left = [...this.#own.keys()].filter(
      (path) => !declared.includes(path) && ![...this.#taken.values()].some(({ from }) => from === path),
    );
    return [...new Set(left.map((path) => path.replace(/\/.*/, "/")))];
  }

  #takeWithMentions(from: string, file: Omit<PackageFile, "path">): string | undefined {
    const path = packaged(from);
    if (isPaper(path)) return undefined;
    if (this.#taken.get(path)?.from === from) return path;
    if (this.#source.files === undefined && this.#source.declaring.some((one) => one.file === from)) return undefined;
    this.#take(from, file);
    this.#mentioned(from, this.text(path));
    return path;
  }

  #take(from: string, { executable, bytes }: Omit<PackageFile, "path">): void {
    const path = packaged(from);
    if (this.#taken.has(path)) throw refuse("E_SOURCE_PATH", { path: from, found: this.#taken.get(path)?.from ?? "" });
    this.#bytes += bytes.byteLength;
    if (this.#bytes > LIMITS.MAX_TAR_BYTES || this.#taken.size >= LIMITS.MAX_ENTRIES)
      throw refuse("E_SOURCE_LARGE", { path: from, limitBytes: LIMITS.MAX_TAR_BYTES, limitFiles: LIMITS.MAX_ENTRIES });
    this.#taken.set(path, { path, executable, bytes, from });
  }

  /** Files that a script's text names: beside it and below, in its host's folder, of a plugin anywhere in it. */
  #mentioned(from: string, text: string): string[] {
    const found = mentionsIn(text, from).flatMap((mention) => {
      const path = posix.normalize(posix.join(posix.dirname(from), mention));
      return [...this.#ownNamed(mention), ...(path.startsWith("..") || path === from ? [] : [path])];
    });
    return [...new Set(found)].flatMap((path) => {
      const file = this.#own.get(path) ?? this.#readable(path);
      if (file === undefined) return [];
      const taken = this.#own.has(path) || this.#isOf(from, path) ? this.#takeWithMentions(path, file) : undefined;
      if (taken === undefined) this.#missed.set(`${from} ${path}`, [from, path]);
      return taken ?? [];
    });
  }

  /** Of a plugin's files those that a word may mean: `$ROOT/policies/deny.txt`, or "deny.txt" in a part that is no hook. */
  #ownNamed(mention: string): string[] {
    const words = mention.split("/");
    const tails = words.map((_, n) => words.slice(n).join("/")).filter((tail) => tail.includes("/"));
    const others = words.length > 1 ? [] : (this.#others.get(mention) ?? []);
    return [...tails.filter((tail) => this.#own.has(tail)).slice(0, 1), ...others];
  }

  /** Whether a file of a project is a script's and not the project's: below it, or in its host's folder with it. */
  #isOf(from: string, path: string): boolean {
    if (
      this.#source.files !== undefined ||
      path
        .split("/")
        .slice(from.startsWith(".") ? 1 : 0)
        .some(isHidden)
    )
      return false;
    const folder = posix.dirname(from);
    const settings = `${this.#source.host.settings.folder}/`;
    if (from.startsWith(settings) && path.startsWith(settings)) return !/^[^/]+\/settings[^/]*\.json$/.test(path);
    // At a project's root everything lies below.
    const isBelow = folder === "." ? !path.includes("/") : path.startsWith(`${folder}/`);
    return isBelow && (CODE.test(path) || (folder !== "." && DATA.test(path)));
  }

  /** A text may name anything: a link, what is too large, a path that no package has. None of it comes along. */
  #readable(path: string): Omit<PackageFile, "path"> | undefined {
    try {
      return this.#read(path);
    } catch (error) {
      if (isFault(error)) return undefined;
      throw error;
    }
  }

  #read(path: string): Omit<PackageFile, "path"> | undefined {
    if (this.#source.files !== undefined && this.#own.has(path)) return this.#own.get(path);
    try {
      return readFileBelow(this.#source.root, path, LIMITS.MAX_TAR_BYTES);
    } catch (error) {
      // A folder, or nothing; a link is refused as everywhere.
      if (isFault(error) && /^E_(FOLDER_(MISSING|NOT_FOLDER|SPECIAL)|ARCHIVE_PATH_|ARCHIVE_SEGMENT_)/.test(error.code))
        return undefined;
      throw error;
    }
  }
}

function isHidden(segment: string): boolean {
  return segment.startsWith(".");
}

/** No hidden name is ever packed: `.claude/hooks/x.sh` is `hooks/x.sh` in the package. */
function packaged(from: string): string {
  return from
    .split("/")
    .filter((segment) => !segment.startsWith("."))
    .join("/");
}
