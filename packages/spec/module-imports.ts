import { posix } from "node:path";
import type { Handler } from "./handler.ts";
import type { SourceFiles } from "./package.ts";
import { isPaper } from "./paper.ts";
import { type Problem, problem } from "./problem.ts";

const SOURCE = /\.(ts|mts|js|mjs|tsx|jsx)$/;
const MAX_MODULES = 500;

/** Follows a module handler's imports through the package: its own files, the SDK and built-in modules, nothing else. */
export function moduleProblems(handler: Handler, files: SourceFiles, path: string): Problem[] {
  if (handler.run.type !== "module") return [];
  const entry = posix.normalize(handler.run.path);
  if (!files.has(entry) || isPaper(entry) || !SOURCE.test(entry) || entry !== handler.run.path)
    return [problem("E_MODULE_MISSING", `${path}.module`, handler.run.path)];
  const problems: Problem[] = [];
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const imported of importsOf(files.get(file), file, problems)) {
      if (/^(node|bun):/.test(imported) || imported === "@hookpkg/sdk" || imported === "bun") continue;
      const target = imported.startsWith(".") ? resolved(posix.join(posix.dirname(file), imported), files) : undefined;
      if (target === undefined) problems.push(problem("E_IMPORT", file, imported.slice(0, 200)));
      else if (isPaper(target)) problems.push(problem("E_IMPORT", file, `${target} is never mounted`));
      else if (SOURCE.test(target) && seen.size < MAX_MODULES) seen.add(target);
    }
  }
  return problems;
}

function importsOf(bytes: Uint8Array | undefined, file: string, problems: Problem[]): string[] {
  const loader = file.endsWith("x") ? (file.endsWith(".tsx") ? "tsx" : "jsx") : /ts$/.test(file) ? "ts" : "js";
  try {
    return new Bun.Transpiler({ loader }).scanImports(new TextDecoder().decode(bytes)).map((found) => found.path);
  } catch (error) {
    problems.push(problem("E_FILE_UNREADABLE", file, error instanceof Error ? error.message.slice(0, 200) : ""));
    return [];
  }
}

/** As Bun resolves a relative import: the path itself, with an extension, or a folder's index. */
function resolved(path: string, files: SourceFiles): string | undefined {
  const endings = ["", ".ts", ".js", ".mts", ".mjs", ".tsx", ".jsx", ".json", "/index.ts", "/index.js"];
  return endings.map((ending) => path + ending).find((candidate) => files.has(candidate));
}
