import { type Home, lastEvents } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import { commandText } from "../command-text.ts";
import type { Said } from "../trust/broken.ts";
import { attachments } from "./attached-record.ts";

type Alive = CommandData["status"]["hosts"][number];

/** Proof of life: what each attached host last sent, and when its entries last kept a made-up call from running. */
export function hostsAlive(home: Home): Alive[] {
  const last = lastEvents(home);
  const byHost = Map.groupBy(attachments(home), ({ host }) => host);
  return [...byHost].map(([host, records]) => {
    const canaries = records.flatMap(({ canary }) => (canary === undefined ? [] : [canary])).sort();
    const version = records.find((record) => record.version !== undefined)?.version;
    return {
      host,
      ...(version === undefined ? {} : { version }),
      ...{ lastEvent: last[host] ?? null, canary: canaries.at(-1) ?? null },
    };
  });
}

/** A host that sends nothing asks nobody; entries that never cancelled anything may be unable to. */
export function aliveNote({ host, lastEvent, canary }: Alive, now: Date): Said {
  const event = lastEvent === null ? "no event yet" : `last event ${ago(lastEvent, now)}`;
  if (canary !== null) return { text: `${host}: ${event} · canary cancelled ${ago(canary, now)}` };
  return { text: `${host}: ${event} · no canary was ever cancelled`, command: commandText("hookpkg", "doctor") };
}

const UNITS = [
  ["d", 24 * 60],
  ["h", 60],
  ["min", 1],
] as const;

/** In the largest unit that there is one of: minutes at least. */
function ago(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / 60_000);
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? ["min", 1];
  return minutes < 1 ? "just now" : `${Math.floor(minutes / size)} ${unit} ago`;
}
