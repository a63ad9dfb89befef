import { provePermission } from "./permission.ts";

provePermission({ name: "claude-code", host: "claude-code", unanswered: "needs approval" });
provePermission({ name: "codex", host: "codex", unanswered: "rejected by user" });
// Qwen Code offers no tool headless that it would ask about: the event is never sent.
