import { join } from "node:path";
import { chatCompletions } from "../wires/chat-completions.ts";
import type { Host, Place } from "./host.ts";

/** Cline's command line. It keeps its provider by `auth`, which comes first in every run; its background process dies with the namespace. */
export const cline: Host = {
  name: "cline",
  pin: { name: "cline", version: "3.0.65" },
  wire: chatCompletions,
  shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),

  command: (place) => [
    ...["/bin/sh", "-c"],
    '"$1" auth -p openai -k dummy -m gpt-4o -b "$2" >&2 && exec "$1" --json -P openai -m gpt-4o -c "$3" "$4"',
    ...["sh", binary(place), `${place.model}/v1`, place.project, place.prompt],
  ],

  env: () => ({}),
};

function binary({ host }: Place): string {
  const pattern = new Bun.Glob("node_modules/@cline/cli-linux-*/bin/cline");
  const [found] = pattern.scanSync({ cwd: host.folder });
  if (found === undefined) throw new Error(`cline ${host.version} has no program for this machine`);
  return join(host.folder, found);
}
