import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Home, modelSettings, readApprovals } from "@hookpkg/runtime";
import type { NormalForm } from "@hookpkg/spec";
import { commandText } from "../command-text.ts";
import { broken, type Check, failed, fileOf, works } from "./check.ts";

const NAME = "model";

/** Whether handlers that ask a model have one; nothing is sent to it. */
export async function modelCheck(home: Home): Promise<Check[]> {
  const asking = await askingHandlers(home);
  const who = asking.length === 0 ? "no approved handler asks it" : `asked by ${asking.join(", ")}`;
  try {
    const model = modelSettings(home);
    if (model !== undefined)
      return [
        works(NAME, `${model.small} and ${model.large} at ${model.url}${model.key ? ", with a key" : ""}; ${who}`),
      ];
    if (asking.length === 0) return [works(NAME, "none is configured, and no approved handler asks one")];
    const file = join(home.config, "config.json");
    return [broken(NAME, `none is configured, and one is ${who} [E_MODEL_NONE]`, `add "model" to ${file}  (${FORM})`)];
  } catch (error) {
    if (isFault(error) && !error.code.startsWith("E_MODEL_")) return []; // what cannot be read has a check of its own
    const isKey = isFault(error, "E_MODEL_KEY");
    const file = fileOf(error, join(home.config, "config.json"));
    return [failed(NAME, error, isKey ? commandText("chmod", "600", file) : `mend "model" in ${file}  (${FORM})`)];
  }
}

const FORM = `{"provider": "anthropic" or "openai-compatible", "url", "keyFile", "small", "large"}`;

async function askingHandlers(home: Home): Promise<string[]> {
  const read = await readApprovals(home);
  if (read.read !== "signed") return [];
  const entries = Object.values(read.projects).flatMap((project) => Object.entries(project.entries));
  const asking = entries.filter(([, { decided, normalForm }]) => decided === "approved" && asksModel(normalForm));
  return [...new Set(asking.map(([name]) => name))].sort();
}

function asksModel({ run, capabilities }: NormalForm): boolean {
  return run.type === "prompt" || run.type === "agent" || capabilities.model;
}
