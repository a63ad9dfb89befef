import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Builds the one binary: `bun cli/build.ts [OUTFILE]`, `dist/hookpkg` by default.
 *
 * A program that Bun starts reads `./bunfig.toml` (whose `preload` is code) and `./.env` of the folder it is started in, which
 * here is somebody's checkout: the two `--no-compile-autoload` flags switch that off. What a binary can't refuse is
 * `BUN_OPTIONS` (`--preload`) and `BUN_BE_BUN` (turns it into bun): they act before any line of ours, so whoever starts hookpkg
 * from an environment that is not the person's own starts it with `env -u BUN_OPTIONS -u BUN_BE_BUN hookpkg …`, as the entries do
 * that `attach` writes; children are started with an environment made anew.
 */
const FLAGS = [
  "--compile",
  "--bytecode",
  "--format=esm", // CommonJS, the default for bytecode, has no top-level await
  "--splitting", // or every lazy import would be loaded at the start, and hosts start this on every event
  "--minify",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

const root = resolve(import.meta.dir, "..");

async function build(outfile: string): Promise<number> {
  mkdirSync(dirname(outfile), { recursive: true });
  // Same file name, same bytes: the name goes into the binary, so it is built in a folder of its own and moved.
  const folder = join(dirname(outfile), `.build-${process.pid}`);
  const unfinished = join(folder, basename(outfile));
  try {
    const bun = Bun.spawn(
      [process.execPath, "build", ...FLAGS, `--outfile=${unfinished}`, join(root, "cli", "main.ts")],
      { cwd: root, stdin: "ignore", stdout: "ignore", stderr: "inherit" },
    );
    const code = await bun.exited;
    if (code === 0) renameSync(unfinished, outfile);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const outfile = resolve(process.argv[2] ?? join(root, "dist", "hookpkg"));
process.exitCode = await build(outfile);
if (process.exitCode === 0) console.log(outfile);
