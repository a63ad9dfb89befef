import { provePermission } from "../permission.ts";

provePermission({ name: "copilot", host: "copilot-cli", unanswered: "no interactive user response was available" });
