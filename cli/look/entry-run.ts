import { type HostSettings, hostNamed, isEntryRefusal, isRefused } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import { canaryText } from "../host/canary.ts";
import { broken, type Check, works } from "./check.ts";

/** An entry's exact text, and where it is run: `cwd` is a folder that the host would work in, `base` the home that it would have. */
export type EntryRun = { settings: HostSettings; command: string; cwd: string; base: string; mend: string };

/** What a host gives an entry, and no more than doctor waits for. */
const MAX_WAIT_MS = 20_000;
/** No host has an event of this name: it goes the whole way, concerns nobody and leaves no trace in a session or the journal. */
const NOBODYS_EVENT = "HookpkgDoctor";

/** Gives an entry's exact text to a shell, with an event on stdin, as its host does. undefined: this host's events have another form. */
export async function tryEntry(entry: EntryRun): Promise<Check | undefined> {
  const event = { hook_event_name: NOBODYS_EVENT, session_id: "doctor", transcript_path: null, cwd: entry.cwd };
  if (!isNobodys(entry.settings.host, event)) return undefined;
  const name = `${entry.settings.host}: the entry, run`;
  const { exit, stdout, stderr } = await ran(entry, JSON.stringify(event));
  if (exit === 0 && stdout.trim() === "") return works(name, "hookpkg answered through it");
  return broken(name, `it ended with ${exit}: ${said(stderr, stdout)}`, entry.mend);
}

function isNobodys(host: string, event: object): boolean {
  try {
    return hostNamed(host)?.read(event).event === null;
  } catch {
    return false;
  }
}

/**
 * A call that hookpkg's own guard refuses wherever it stands, told as the host would tell it: nothing is done, whatever the answer. undefined:
 * this host's entry cannot be told so.
 */
export async function tryCanary(entry: EntryRun & { event: string; home: Home }): Promise<Check | undefined> {
  const { settings, event, home, cwd, mend } = entry;
  const text = canaryText(settings.host, { event, home, cwd });
  if (text === undefined) return undefined;
  const name = `${settings.host}: a canary`;
  const reply = await ran(entry, text);
  const isOwn = isEntryRefusal(reply.stdout) || isEntryRefusal(reply.stderr);
  if (isRefused(reply) && !isOwn) return works(name, "a made-up rm -rf ~ was cancelled through it");
  return broken(
    name,
    `a made-up rm -rf ~ was NOT cancelled by hookpkg: it ended with ${reply.exit}: ${said(reply.stderr, reply.stdout)}`,
    mend,
  );
}

type Ran = { exit: number; stdout: string; stderr: string };

async function ran({ settings, command, cwd, base }: EntryRun, event: string): Promise<Ran> {
  const child = Bun.spawn(["/bin/sh", "-c", command], {
    cwd,
    env: { HOME: base, PATH: "/usr/local/bin:/usr/bin:/bin", ...variablesOf(settings, event) },
    stdio: [new Blob([event]), "pipe", "pipe"],
    timeout: MAX_WAIT_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, stdout, stderr };
}

/** A host that runs another's entries is known there by a variable that it sets. */
function variablesOf({ host, runs }: HostSettings, event: string): Record<string, string> {
  const [marker] = runs === undefined ? [] : (hostNamed(host)?.markers ?? []);
  return marker === undefined ? {} : { [marker]: String(JSON.parse(event).hook_event_name) };
}

function said(stderr: string, stdout: string): string {
  return `${stderr} ${stdout}`.replace(/\s+/g, " ").trim().slice(0, 300);
}
