import { isFault } from "@hookpkg/fault";
import { z } from "zod";
import { type Capabilities, NO_CAPABILITIES } from "./capability.ts";
import { declaredHandlers, eventProblem, type Sources } from "./declared-handlers.ts";
import { refuse } from "./faults.ts";
import type { Handler } from "./handler.ts";
import { HOOKS_FILE, type HooksFile, hooksFileSchema, KNOWN_FIELDS, MAX_HOOKS_BYTES } from "./hooks-file.ts";
import { parseJson } from "./json.ts";
import { MANIFEST_FILE, MAX_MANIFEST_BYTES, type Manifest, manifestSchema, rightsShape } from "./manifest.ts";
import { caseProblems } from "./package-case.ts";
import { isError, type Problem, problem, unreadable, zodProblems } from "./problem.ts";
import { salvagedProblems } from "./salvage.ts";
import { parseToml } from "./toml.ts";

/** Files of a package or layer by path, as bytes. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>;

/** What a package declares. `warnings` never stop anything. */
export type PackageSpec = { manifest: Manifest; handlers: readonly Handler[]; warnings: readonly Problem[] };

/** What a layer declares: rights and handlers, no name of its own. */
export type LayerSpec = {
  requires: Manifest["requires"];
  capabilities: Capabilities;
  options: Manifest["options"];
  handlers: readonly Handler[];
  warnings: readonly Problem[];
};

const layerManifestSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().max(200).optional(),
  version: z.string().max(100).optional(),
  description: z.string().max(300).optional(),
  ...rightsShape,
});

/**
 * All that is wrong with a package's files, errors and warnings, at once. Empty: `parsePackage` will take it and say nothing. `executable`:
 * paths with the x bit, where they are known.
 */
export function packageProblems(files: SourceFiles, executable?: ReadonlySet<string>): readonly Problem[] {
  return unique(readPackage(files, executable).problems);
}

/** The one door for a package's declaration. E_PACKAGE_INVALID with every problem in its facts. */
export function parsePackage(files: SourceFiles): PackageSpec {
  const { manifest, handlers, problems } = readPackage(files);
  if (!manifest || problems.some(isError)) throw invalid(problems);
  return { manifest, handlers, warnings: problems };
}

/** The door for a local package: `hooks.json` and/or `hooks.toml` at its root, `hookpkg.json` only for rights. */
export function parseLayer(files: SourceFiles): LayerSpec {
  const problems: Problem[] = [];
  const rights = files.has(MANIFEST_FILE)
    ? read(files, { ...MANIFEST, schema: layerManifestSchema }, problems)
    : undefined;
  const names = ["hooks.json", "hooks.toml"].filter((name) => files.has(name));
  if (names.length === 0) problems.push(problem("E_FILE_MISSING", "hooks.json"));
  if (names.length === 2) problems.push(problem("W_TWO_SOURCES", "hooks.toml"));
  const sources: Sources = names.flatMap((file) => {
    const hooks = read(files, { ...HOOKS, file }, problems);
    return hooks ? [{ file, hooks }] : [];
  });
  if (rights) problems.push(...requiredEvents(rights.requires.events));
  const handlers = declaredHandlers(sources, { files, rights: rights?.capabilities ?? NO_CAPABILITIES }, problems);
  if (problems.some(isError)) throw invalid(problems);
  const { requires, capabilities, options } = plain<Pick<Manifest, "requires" | "capabilities" | "options">>(
    rights ?? { requires: { programs: [], events: [] }, capabilities: NO_CAPABILITIES, options: {} },
  );
  return { requires, capabilities, options, handlers, warnings: problems };
}

function readPackage(
  files: SourceFiles,
  executable?: ReadonlySet<string>,
): { manifest?: Manifest; handlers: Handler[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const found = read(files, MANIFEST, problems);
  const others = (value: unknown) => salvagedProblems(HOOKS_FILE, value, files);
  const hooks: HooksFile | undefined = read(files, { ...HOOKS, others }, problems);
  const sources = hooks ? [{ file: HOOKS_FILE, hooks }] : [];
  const handlers = declaredHandlers(sources, { files, executable, rights: found?.capabilities }, problems);
  if (!found) {
    if (hooks) problems.push(...caseProblems(files, handlers));
    return { handlers, problems };
  }
  const { $schema: _, ...manifest } = found;
  problems.push(...requiredEvents(manifest.requires.events));
  problems.push(...caseProblems(files, handlers));
  return { manifest: plain<Manifest>(manifest), handlers, problems };
}

function requiredEvents(names: readonly string[]): Problem[] {
  return names.flatMap((name, n) => eventProblem(name, `${MANIFEST_FILE}: requires.events[${n}]`) ?? []);
}

type Declared<T extends z.ZodType> = {
  file: string;
  schema: T;
  maxBytes: number;
  /** What else can be found in a value that has not the form. */
  others?: (value: unknown) => readonly Problem[];
};

const MANIFEST = { file: MANIFEST_FILE, schema: manifestSchema, maxBytes: MAX_MANIFEST_BYTES };
const HOOKS = { file: HOOKS_FILE, schema: hooksFileSchema, maxBytes: MAX_HOOKS_BYTES };

function read<T extends z.ZodType>(
  files: SourceFiles,
  { file, schema, maxBytes, others = () => [] }: Declared<T>,
  problems: Problem[],
): z.infer<T> | undefined {
  const bytes = files.get(file);
  if (!bytes) {
    problems.push(problem("E_FILE_MISSING", file));
    return undefined;
  }
  try {
    const value = parseText(file, bytes, maxBytes);
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    problems.push(...zodProblems(parsed.error, file, KNOWN_FIELDS), ...others(value));
  } catch (error) {
    if (!isFault(error)) throw error;
    problems.push(unreadable(file, error));
  }
  return undefined;
}

function parseText(file: string, bytes: Uint8Array, maxBytes: number): unknown {
  return file.endsWith(".toml") ? parseToml(bytes, { maxBytes }) : parseJson(bytes, { maxBytes });
}

/** Handlers of one group share its matcher, and what is wrong with it. */
function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()];
}

function invalid(problems: readonly Problem[]) {
  return refuse("E_PACKAGE_INVALID", {
    problems: unique(problems)
      .filter(isError)
      .map((found) => ({ ...found })),
  });
}

/** zod leaves optional keys as `undefined`; our types mean "absent". `value` was just checked by the schema of T. */
function plain<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
