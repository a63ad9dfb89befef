import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { HOSTS } from "@hookpkg/hosts";
import type { JournalLine } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { type Home, homeFolders } from "../home.ts";
import type { ModelClient } from "../model/client.ts";
import type { OnTrigger } from "../notice/trigger.ts";
import type { HandlerRun, RunEnd } from "../watch.ts";
import { ASK_MS, type Ask } from "./question.ts";

/** All of it can be left out. What a listener throws changes nothing. */
export type ChainOptions = {
  /** Folder whose project's handlers are asked, wherever an event happens; absent: the working directory. */
  project?: string;
  /** Where the person's folders are, as with `hookpkg --home`; absent: the home of the password database. */
  home?: string;
  /** Your agent's name, for `ctx.host`, sessions and the journal: `[a-z][a-z0-9-]*`, at most 40, none of a host with an adapter. */
  host?: string;
  /** What handlers can be granted variables of; absent: this process's own, as it is now. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The program that workers run: a bun, or anything that `bun build --compile` made; absent: the running one. Absolute. */
  worker?: string;
  /** Puts a question to a person; absent: nobody can be asked, and a question is a cancel. */
  ask?: Ask;
  /** How long an answer is waited for, in milliseconds; absent: ten minutes. */
  askTimeoutMs?: number;
  /** Asked by handlers that ask a model; absent: the model of the person's `config.json`. */
  model?: ModelClient;
  /** Begins a turn for a prompt handler of a notice; absent: a model's text is told at the project's next prompt. */
  onTrigger?: OnTrigger;
  /** Each line of the journal, redacted, when it has been written. */
  onJournal?: (line: JournalLine) => void;
  /** Each run of a handler, at its start and at its end. */
  onRun?: (run: HandlerRun & ({ phase: "started" } | ({ phase: "completed" } & RunEnd))) => void;
  /** Closes the chain when it fires. */
  signal?: AbortSignal;
};

export type Chosen = Omit<ChainOptions, "home" | "signal"> &
  Required<Pick<ChainOptions, "host" | "env" | "worker" | "askTimeoutMs">> & { folder: string; home: Home };

/** The options with what is absent filled in, and looked at. E_CHAIN_OPTION, E_CHAIN_WORKER, E_HOME_…. */
export function chosen({ home, project, worker, signal: _, ...options }: ChainOptions): Chosen {
  const folder = resolve(project ?? process.cwd());
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw refuse("E_CHAIN_OPTION", { option: "project", found: folder });
  const { host = "native", askTimeoutMs = ASK_MS } = options;
  if (!isHostName(host)) throw refuse("E_CHAIN_OPTION", { option: "host", found: String(host).slice(0, MAX_SHOWN) });
  if (!(askTimeoutMs > 0 && askTimeoutMs <= MAX_ASK_MS))
    throw refuse("E_CHAIN_OPTION", { option: "askTimeoutMs", found: `${askTimeoutMs}` });
  // biome-ignore lint/style/noProcessEnv: an embedder's program has no main of ours that would have read it
  const env = { ...(options.env ?? process.env) };
  const binary = worker === undefined ? process.execPath : usable(worker);
  return { ...options, host, env, folder, askTimeoutMs, home: homeFolders(home), worker: binary };
}

const MAX_SHOWN = 100;
const HOST_NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** What a timer can hold. */
const MAX_ASK_MS = 2 ** 31 - 1;

/** `native` is an embedder without a name; the others have sessions and a journal of their own, which must not be mixed up. */
function isHostName(name: string): boolean {
  return HOST_NAME.test(name) && name !== "eva" && !HOSTS.some((host) => host.name === name && name !== "native");
}

/** What is no bun would only be found out by the first event, whose guards could then not judge it. */
function usable(worker: string): string {
  try {
    if (!isAbsolute(worker)) throw new Error("the path is not absolute");
    accessSync(worker, constants.X_OK);
    const said = Bun.spawnSync([worker, "--no-env-file", "--config=/dev/null", "--version"], {
      env: { BUN_BE_BUN: "1" },
      cwd: "/",
      stdin: "ignore",
      stderr: "ignore",
      timeout: MAX_LOOK_MS,
    });
    if (said.stdout.toString().trim() === Bun.version) return worker;
    throw new Error(`it is not bun ${Bun.version}, nor was it made by it`);
  } catch (cause) {
    throw refuse(
      "E_CHAIN_WORKER",
      { worker, found: String(cause).slice(0, 2 * MAX_SHOWN), expected: Bun.version },
      cause,
    );
  }
}

const MAX_LOOK_MS = 10_000;
