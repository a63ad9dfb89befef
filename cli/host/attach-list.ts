import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { HOST_SETTINGS } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import type { CommandData, HandlerReach } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { pageLines } from "../trust/page.ts";
import { type Recorded, readRecords } from "./attached-record.ts";
import { standsThere } from "./attachment.ts";
import { isHere } from "./host-place.ts";
import { handlersByHost, reachWords } from "./reach.ts";

/** Every host that is known: whether it is here, where it is attached, and what of this project it asks. */
export async function listed(call: Call, home: Home, base: string): Promise<Done<CommandData["attach --list"]>> {
  const records = readRecords(home);
  const reach = await handlersByHost(call);
  const hosts = await Promise.all(
    HOST_SETTINGS.map(async (settings) => {
      const own = records.filter(({ host }) => host === settings.host);
      const personal = own.find(({ scope }) => scope === "personal");
      const projects = own
        .filter(({ scope }) => scope === "shared")
        .flatMap(({ files }) => files.map(({ file }) => file));
      const file = personal?.files.at(-1)?.file ?? join(base, settings.personal.path);
      const attached = personal !== undefined && (await stands(personal, settings.comments));
      const handlers = reach.get(settings.host);
      const about = { host: settings.host, found: isHere(settings, base, call.env.PATH), file, attached, projects };
      return handlers === undefined ? about : { ...about, handlers };
    }),
  );
  const line = ({ host, found, file, attached }: (typeof hosts)[number]) =>
    `${host}: ${attached ? `attached in ${file}` : found ? "not attached" : "not here"}`;
  return {
    data: { hosts },
    lines: hosts.flatMap((one) => [
      ...pageLines(line(one)),
      ...one.projects.flatMap((file) => pageLines(`shared in ${file}`, "  ")),
      ...("handlers" in one ? one.handlers : []).flatMap(handlerLine),
    ]),
  };
}

function handlerLine({ handler, lost, ...how }: Omit<HandlerReach, "host"> & { handler: string }): string[] {
  return pageLines(`${handler}: ${reachWords(how)}${lost.length > 0 ? `: ${lost.join("; ")}` : ""}`, "  ");
}

async function stands(record: Recorded, comments: boolean): Promise<boolean> {
  try {
    return await standsThere(record, comments);
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}
