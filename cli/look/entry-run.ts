import { type HostSettings, hostNamed } from "@hookpkg/hosts";
import { broken, type Check, works } from "./check.ts";

/** What a host gives an entry, and no more than doctor waits for. */
export type EntryRun = { settings: HostSettings; command: string; cwd: string; base: string; mend: string };

const MAX_WAIT_MS = 20_000;
/** No host has an event of this name: it goes the whole way, concerns nobody and leaves no trace in a session or the journal. */
const NOBODYS_EVENT = "HookpkgDoctor";

/** Gives an entry's exact text to a shell, with an event on stdin, as its host does. undefined: this host's events have another form. */
export async function tryEntry({ settings, command, cwd, base, mend }: EntryRun): Promise<Check | undefined> {
  const event = { hook_event_name: NOBODYS_EVENT, session_id: "doctor", transcript_path: null, cwd };
  if (!isNobodys(settings.host, event)) return undefined;
  const name = `${settings.host}: the entry, run`;
  const child = Bun.spawn(["/bin/sh", "-c", command], {
    cwd,
    env: { HOME: base, PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: [new Blob([JSON.stringify(event)]), "pipe", "pipe"],
    timeout: MAX_WAIT_MS,
    killSignal: "SIGKILL",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0 && out.trim() === "") return works(name, "hookpkg answered through it");
  const said = `${err} ${out}`.replace(/\s+/g, " ").trim().slice(0, 300);
  return broken(name, `it ended with ${code}: ${said}`, mend);
}

function isNobodys(host: string, event: object): boolean {
  try {
    return hostNamed(host)?.read(event).event === null;
  } catch {
    return false;
  }
}
