import { sceneOnDisk } from "@guards/shell";
import { cancel, defineHook, inputText, next } from "@hookpkg/sdk";
import { judge } from "./judge.ts";

export default defineHook((event, ctx) => {
  if (event.hook_event_name !== "PreToolUse" || event.tool_name !== "Bash") return next();
  const command = inputText(event, "command");
  if (command === undefined) return cancel("the call has no command that could be read");
  const reason = judge(command, sceneOnDisk(event.cwd, ctx.project));
  return reason === undefined ? next() : cancel(reason);
});
