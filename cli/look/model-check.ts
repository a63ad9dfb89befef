import { join } from "node:path";
import { isFault, systemCode } from "@hookpkg/fault";
import { type Home, modelSettings, readApprovals, USER } from "@hookpkg/runtime";
import { type NormalForm, netTarget } from "@hookpkg/spec";
import { commandText } from "../command-text.ts";
import { broken, type Check, failed, fileOf, works } from "./check.ts";

const NAME = "model";

/** Whether handlers that ask a model have one. It is only connected to, with `offline` not even that: a word of it would cost. */
export async function modelCheck(home: Home, offline: boolean): Promise<Check[]> {
  const asking = await askingHandlers(home);
  const who = asking.length === 0 ? "no approved handler asks it" : `asked by ${asking.join(", ")}`;
  const config = join(home.config, "config.json");
  try {
    const model = modelSettings(home);
    if (model !== undefined) {
      const found = `${model.small} and ${model.large} at ${model.url}${model.key ? ", with a key" : ""}; ${who}`;
      if (offline) return [works(NAME, `${found}; not connected to: --offline`)];
      const why = await unreachable(model.url);
      if (why === undefined) return [works(NAME, `${found}; its server takes connections`)];
      const mend = `start its server, or mend "model" in ${config}  (${FORM})`;
      return [broken(NAME, `its server cannot be connected to: ${why} [E_MODEL_UNREACHABLE]: ${found}`, mend)];
    }
    if (asking.length === 0) return [works(NAME, "none is configured, and no approved handler asks one")];
    return [
      broken(NAME, `none is configured, and one is ${who} [E_MODEL_NONE]`, `add "model" to ${config}  (${FORM})`),
    ];
  } catch (error) {
    if (isFault(error) && !error.code.startsWith("E_MODEL_")) return []; // what cannot be read has a check of its own
    const isKey = isFault(error, "E_MODEL_KEY");
    const file = fileOf(error, config);
    return [failed(NAME, error, isKey ? commandText("chmod", "600", file) : `mend "model" in ${file}  (${FORM})`)];
  }
}

const FORM = `{"provider": "anthropic" or "openai-compatible", "url", "keyFile", "small", "large"}`;

const MAX_WAIT_MS = 5000;

/** Why no connection to the model's server comes about; undefined: it does. Nothing is said over it. */
async function unreachable(url: string): Promise<string | undefined> {
  const target = netTarget(url);
  if (target === undefined) return "it has no address";
  const { connect } = await import("node:net");
  return new Promise((resolve) => {
    const socket = connect({ host: target.name.replace(/^\[|\]$/g, ""), port: target.port, timeout: MAX_WAIT_MS });
    const end = (why: string | undefined) => {
      socket.destroy();
      resolve(why);
    };
    socket.once("connect", () => end(undefined));
    socket.once("timeout", () => end(`no answer in ${MAX_WAIT_MS / 1000} s`));
    socket.once("error", (error) => end(systemCode(error) || "no connection"));
  });
}

/** Each with its project: one package may be approved in several. */
async function askingHandlers(home: Home): Promise<string[]> {
  const read = await readApprovals(home);
  if (read.read !== "signed") return [];
  const asking = Object.entries(read.projects).flatMap(([id, { root, entries }]) =>
    Object.entries(entries)
      .filter(([, { decided, normalForm }]) => decided === "approved" && asksModel(normalForm))
      .map(([name]) => `${name} (${id === USER ? "all projects" : root})`),
  );
  return asking.sort();
}

/** The right to ask one is a package's; only code that is called by an engine of ours can use it. */
function asksModel({ run, capabilities }: NormalForm): boolean {
  const isCode = run.type === "module" || run.type === "service";
  return run.type === "prompt" || run.type === "agent" || (isCode && capabilities.model);
}
