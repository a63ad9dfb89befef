import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { responses } from "../wires/responses.ts";
import type { Host, Place } from "./host.ts";

/** Codex CLI. A hook that is not trusted is skipped without a word: `isTrusting` lets all run. */
export const codex: Host = {
  name: "codex",
  pin: { name: "@openai/codex", version: "0.171.0" },
  wire: responses,
  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),

  command: (place) => (place.asks ? asking(place) : executing(place)),

  // Not CODEX_HOME: a folder that is named must exist, the one in the home is made.
  env: () => ({ MOCK_API_KEY: "dummy" }),
};

// With a newer model the tools come in another form, and with an unknown one there is no apply_patch.
const MODEL = "gpt-5.5";

function executing(place: Place): string[] {
  return [
    binary(place),
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...["-C", place.project],
    ...["-m", MODEL],
    ...["-c", `model_provider="mock"`],
    ...["-c", `model_providers.mock=${provider(place)}`],
    "--dangerously-bypass-approvals-and-sandbox",
    ...(place.isTrusting ? trust(place) : []),
    place.prompt,
  ];
}

/** `exec` forces the answer to every question: they are asked through the app server only. */
function asking(place: Place): string[] {
  const client = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install", CLIENT];
  const server = [binary(place), "app-server", "-c", `model_providers.mock=${provider(place)}`];
  return [...client, place.project, MODEL, place.prompt, ...server];
}

const CLIENT = fileURLToPath(import.meta.resolve("../codex-app.ts"));

function binary({ host }: Place): string {
  const pattern = new Bun.Glob("node_modules/@openai/codex-*/vendor/*/bin/codex");
  const [found] = pattern.scanSync({ cwd: host.folder });
  if (found === undefined) throw new Error(`codex ${host.version} has no program for this machine`);
  return join(host.folder, found);
}

function provider({ model }: Place): string {
  const settings = {
    name: "mock",
    base_url: `${model}/v1`,
    wire_api: "responses",
    env_key: "MOCK_API_KEY",
    request_max_retries: 0,
    stream_max_retries: 0,
    supports_websockets: false,
  };
  return inlineTable(settings);
}

function trust({ project }: Place): string[] {
  const projects = inlineTable({ [project]: { trust_level: "trusted" } });
  return ["-c", `projects=${projects}`, "--dangerously-bypass-hook-trust"];
}

/** TOML's strings, numbers and booleans are JSON's for what is written here. */
function inlineTable(table: Record<string, unknown>): string {
  const entries = Object.entries(table).map(([key, value]) => {
    const text = typeof value === "object" && value !== null ? inlineTable({ ...value }) : JSON.stringify(value);
    return `${JSON.stringify(key)}=${text}`;
  });
  return `{${entries.join(",")}}`;
}
