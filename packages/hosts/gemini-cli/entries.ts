import type { HostSettings } from "../settings.ts";

/** Milliseconds here, and its own default: a longer one was not seen to hold. */
const TOOL_MS = 60_000;
const END_MS = 5000;

const EVENTS = ["BeforeTool", "AfterTool", "BeforeAgent", "SessionStart", "SessionEnd", "AfterAgent", "PreCompress"];

/** Gemini CLI 0.61. An extension, because in a folder that is not trusted the hooks of a person's settings are off. */
export const geminiCliSettings: HostSettings = {
  host: "gemini-cli",
  program: "gemini",
  npm: "@google/gemini-cli",
  folder: ".gemini",
  environment: [".gemini/settings.json", ".gemini/.env"],
  personal: {
    kind: "extension",
    path: ".gemini/extensions/hookpkg",
    manifest: "gemini-extension.json",
    hooks: "hooks/hooks.json",
  },
  shared: ".gemini/settings.json",
  reads: [
    { scope: "machine", path: "/etc/gemini-cli/settings.json", form: "json" },
    { scope: "personal", path: ".gemini/settings.json", form: "json" },
    { scope: "project", path: ".gemini/settings.json", form: "json" },
  ],
  plugins: [{ folder: ".gemini/extensions", depth: 1 }],
  comments: true,
  entries: EVENTS.map((event) => ({
    event,
    guards: event === "BeforeTool",
    timeout: event === "SessionEnd" ? END_MS : TOOL_MS,
    fields: { name: "hookpkg" },
  })),
  limits: [
    "nothing that a hook says before a tool reaches the model but a refusal",
    "a session's start and PreCompress cannot be refused; PreCompress comes before every request",
    "an ask ends the run where nobody sits at the terminal",
    "in a trusted folder the project's .env reaches every hook's shell: with BASH_ENV its code runs before ours",
    "there is no permission event, none for failed calls and none for subagents",
    "a hook that takes longer than its timeout lets the call pass",
  ],
  refusal: (text) => ({ to: "stderr", text }),
  fault: ({ hooksConfig }) => {
    const config: Readonly<Record<string, unknown>> = typeof hooksConfig === "object" ? { ...hooksConfig } : {};
    return config.enabled === false ? "hooksConfig.enabled is false in it: no hook runs" : undefined;
  },
};
