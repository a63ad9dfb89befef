import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { claudeCode } from "./hosts/claude-code.ts";
import { cline } from "./hosts/cline.ts";
import { codex } from "./hosts/codex.ts";
import { copilot } from "./hosts/copilot.ts";
import { gemini } from "./hosts/gemini.ts";
import { type Host, type HostName, NODE, type Place } from "./hosts/host.ts";
import { opencode } from "./hosts/opencode.ts";
import { qwen } from "./hosts/qwen.ts";
import { DEFAULT_CACHE, install } from "./install.ts";
import { type ModelRequest, type Script, type SideRequest, serveModel } from "./mock-model.ts";
import { inNamespace, MODEL_PORT } from "./namespace.ts";

export type Drive = {
  /** Both exist, with whatever files and hooks the run is to find in them. */
  project: string;
  home: string;
  prompt?: string;
  script: Script;
  /** Tells the host to trust the project and all its hooks (the default), or leaves it to what the home has on record. */
  isTrusting?: boolean;
  /** Leaves the host's own question before a call on, which nobody answers headless. */
  asks?: boolean;
  /** Files and folders of the machine that the host sees others in place of: place → what it shows. */
  mounts?: Readonly<Record<string, string>>;
  /** On top of an environment built from nothing. */
  env?: Record<string, string>;
  /** Ends the run; two minutes if not given. */
  signal?: AbortSignal;
  cache?: string;
};

export type Driven = {
  exit: number;
  stdout: string;
  stderr: string;
  /** What the model was asked, in order. */
  requests: ModelRequest[];
  /** Requests besides the conversation. */
  others: SideRequest[];
  /**
   * Files below the project that are new or changed, sorted, those in folders of settings (`.codex`) left out: what the
   * commands did. Their output is no proof, qwen loses it at times.
   */
  executed: string[];
};

export const hosts: Record<HostName, Host> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  cline,
};

/** A hundred times what a run takes on an idle machine. */
const TIMEOUT_MS = 120_000;

/** What tests give a run, so that it is the run that ends and says what it printed; and what they give the installation. */
export const TEST_TIMEOUT_MS = TIMEOUT_MS + 10_000;
export const INSTALL_TIMEOUT_MS = 600_000;

/** Brings the host into the cache; hundreds of megabytes the first time. Throws where it can't be had. */
export async function installHost(name: HostName, cache = DEFAULT_CACHE) {
  const [program, node] = await Promise.all([install(hosts[name].pin, { cache }), install(NODE, { cache })]);
  return { program, node };
}

/**
 * Runs the real host once, headless and offline, with one prompt and a scripted model. Throws what the script threw, and
 * when the time is up, having killed all that the run started.
 */
export async function driveHost(name: HostName, drive: Drive): Promise<Driven> {
  const host = hosts[name];
  const cache = drive.cache ?? DEFAULT_CACHE;
  const { program, node } = await installHost(name, cache);
  const scratch = mkdtempSync(join(tmpdir(), "hookpkg-drive-"));
  const socket = join(scratch, "model.sock");
  const model = serveModel({ socket, wire: host.wire, shell: host.shell, script: drive.script });
  try {
    const { project, home, prompt = "please do the scripted task", isTrusting = true, asks = false } = drive;
    const url = `http://127.0.0.1:${MODEL_PORT}`;
    const place: Place = { host: program, node, project, home, scratch, model: url, prompt, isTrusting, asks };
    const before = stampsIn(project);
    const ran = await run(host, place, { ...drive, socket });
    if (model.failure() !== undefined) throw model.failure();
    const { requests, others } = model;
    return { ...ran, requests, others, executed: changes(before, stampsIn(project)) };
  } finally {
    await model.stop();
    rmSync(scratch, { recursive: true });
  }
}

async function run(host: Host, place: Place, { socket, env, signal, mounts }: Drive & { socket: string }) {
  const end = signal ?? AbortSignal.timeout(TIMEOUT_MS);
  const resolver = join(place.scratch, "resolv.conf");
  const tmp = join(place.scratch, "tmp");
  mkdirSync(tmp);
  const files = { "resolv.conf": "nameserver 127.0.0.1\n", ...host.files?.(place) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place.scratch, file), text);
  const child = Bun.spawn(
    inNamespace({ socket, mounts: { "/etc/resolv.conf": resolver, ...mounts } }, host.command(place)),
    {
      cwd: place.project,
      env: { ...baseEnv(place.home, tmp), ...host.env(place), ...env },
      // Held open, never written: its end tells the namespace's first process that this one is gone.
      stdio: ["pipe", "pipe", "pipe"],
      signal: end,
      killSignal: "SIGKILL",
    },
  );
  const [exit, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (end.aborted) throw new Error(`${host.name} was killed before its end\n${stdout}\n${stderr}`);
  return { exit, stdout, stderr };
}

function baseEnv(home: string, tmp: string): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: home,
    TMPDIR: tmp,
    LANG: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/bash",
    USER: "user",
    LOGNAME: "user",
    NO_COLOR: "1",
  };
}

/** Of each file: when it was written and how long it is. */
function stampsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const plain = paths.filter((path) => !path.split("/").some((part) => part.startsWith(".")));
  return new Map(plain.map((path) => [path, stampOf(join(folder, path))]));
}

function stampOf(file: string): string {
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return `${mtimeNs} ${size}`;
}

function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after]
    .filter(([path, stamp]) => before.get(path) !== stamp)
    .map(([path]) => path)
    .sort();
}
