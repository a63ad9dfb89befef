import { provePermission } from "./permission.ts";

// Codex forces the answer headless (approval policy never) and Qwen Code offers no tool that it would ask about: neither sends the event.
provePermission({ name: "claude-code", host: "claude-code", unanswered: "needs approval" });
