import { readlinkSync } from "node:fs";
import { homeOf, isBelow, type Scene } from "@guards/shell";
import { cancel, defineHook, inputText, next } from "@hookpkg/sdk";
import { judge } from "./judge.ts";

export default defineHook((event, ctx) => {
  if (event.hook_event_name !== "PreToolUse" || event.tool_name !== "Bash") return next();
  const command = inputText(event, "command");
  if (command === undefined) return cancel("the call has no command that could be read");
  const reason = judge(command, sceneOf(event.cwd, ctx.project));
  return reason === undefined ? next() : cancel(reason);
});

/** A linked working tree lies outside the project's root: there the folder it starts in counts. */
function sceneOf(cwd: string, root: string): Scene {
  const inside = cwd === root || isBelow(cwd, root) ? root : cwd;
  const home = homeOf(inside);
  return { cwd, project: isWhole(inside, home) ? "" : inside.replace(/\/+$/, ""), home, link };
}

/** The root, a folder of the system or a home is never taken for a project: everything would be inside. */
function isWhole(folder: string, home: string): boolean {
  return folder.split("/").filter((name) => name !== "").length < 2
    ? folder !== "/app" && folder !== "/workspace"
    : folder === home;
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link, or nothing there
  }
}
