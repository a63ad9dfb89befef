import { proveAttached } from "./attached.ts";

proveAttached({
  name: "opencode",
  host: "opencode",
  file: ".config/opencode/plugins/hookpkg.js",
  ends: false,
  shows: true,
});
