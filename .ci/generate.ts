// bun .ci/generate.ts: writes the generated files. With --check it writes nothing and fails where one is out of date.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Modules that export `generated()`; paths are from the root, as are those of the files that they return. */
const generators = [
  "runtime/run/generate-bootstrap.ts",
  "packages/spec/generate-schemas.ts",
  "cli/author/generate-sdk-copy.ts",
];

type GeneratedFile = { path: string; text: string };
type Generator = { generated: () => Promise<GeneratedFile[]> };

const root = dirname(import.meta.dir);
const isCheck = process.argv.includes("--check");
const files: GeneratedFile[] = [];
for (const path of generators) {
  if (read(path) === undefined) throw new Error(`${path} is listed in .ci/generate.ts and does not exist`);
  const { generated }: Generator = await import(join(root, path));
  files.push(...(await generated()));
}

const stale = files.filter((file) => read(file.path) !== file.text).map((file) => file.path);
const orphans = generatedFilesOnDisk().filter((path) => !files.some((file) => file.path === path));
if (!isCheck) for (const file of files) if (stale.includes(file.path)) write(file);

for (const path of stale) console.log(isCheck ? `${path} is out of date: bun run generate` : `wrote ${path}`);
for (const path of orphans) console.log(`${path} is made by no generator: delete it, or list its generator`);
process.exit(orphans.length > 0 || (isCheck && stale.length > 0) ? 1 : 0);

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}

function write({ path, text }: GeneratedFile): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.new`, text, { flush: true });
  renameSync(`${target}.new`, target);
}

function generatedFilesOnDisk(): string[] {
  const found = new Bun.Glob("{packages,registry,runtime,cli,test}/**/*.generated.*").scanSync({ cwd: root });
  return [...found].filter((path) => !/(^|\/)(node_modules|dist)\//.test(path)).sort();
}
