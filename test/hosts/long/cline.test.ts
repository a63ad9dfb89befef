import { proveAttached } from "./attached.ts";

proveAttached({ name: "cline", host: "cline", file: ".cline/hooks/PreToolUse.sh", ends: true });
