import { patchedFiles, sceneOnDisk } from "@guards/shell";
import { cancel, defineHook, inputText, next, type PreToolUse, paths, type TouchedPath } from "@hookpkg/sdk";
import manifest from "./hookpkg.json" with { type: "json" };
import { judgeCommand, judgeFiles } from "./judge.ts";
import { type Pattern, patternsOf } from "./patterns.ts";

export default defineHook((event, ctx) => {
  if (event.hook_event_name !== "PreToolUse") return next();
  const scene = sceneOnDisk(event.cwd, ctx.project);
  const patterns = patternsFor(linesOf(ctx.options.paths), scene.home);
  if (event.tool_name !== "Bash") {
    const files = filesOf(event);
    return files === undefined
      ? cancel("the call names no file that could be read")
      : said(judgeFiles(files, scene, patterns));
  }
  const command = inputText(event, "command");
  return command === undefined
    ? cancel("the call has no command that could be read")
    : said(judgeCommand(command, scene, patterns));
});

function said(reason: string | undefined) {
  return reason === undefined ? next() : cancel(reason);
}

/** A worker serves one project, whose options seldom change: the last list is kept, by its text. */
let kept: { key: string; patterns: readonly Pattern[] } | undefined;

function patternsFor(lines: readonly string[], home: string): readonly Pattern[] {
  const key = `${home}\n${lines.join("\n")}`;
  if (kept?.key !== key) kept = { key, patterns: patternsOf(lines, home) };
  return kept.patterns;
}

/** Tools that change files; a call of theirs that names none can't be judged. */
const CHANGERS = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch"]);

function filesOf(event: PreToolUse): TouchedPath[] | undefined {
  const named = paths(event);
  const patch = event.tool_name === "apply_patch" ? inputText(event, "patch") : undefined;
  const files = [...named, ...patchedFiles(patch).map((path): TouchedPath => ({ op: "write", path }))];
  return files.length === 0 && CHANGERS.has(event.tool_name) ? undefined : files;
}

/** Without options the manifest's own list holds, so that a handler run by itself protects the same. */
function linesOf(option: unknown): readonly string[] {
  const isList = Array.isArray(option) && option.every((line) => typeof line === "string");
  return isList ? option : manifest.options.paths.default;
}
