import { type HostReply, hostNamed } from "@hookpkg/hosts";
import { readStdin } from "./stdin.ts";
import { replyWithoutEngine } from "./without-engine.ts";

/**
 * The reply of a `run` that never got to its body: a flag that is not known, a host that is not, a folder that is gone. The words are
 * read leniently, because they are what is wrong. E_… never ends in a pass where a closed handler guards.
 */
export async function failedStart(argv: readonly string[], error: unknown, stdin?: Uint8Array): Promise<HostReply> {
  const words = argv.filter((word) => !word.startsWith("-"));
  const host = words.map(hostNamed).find((found) => found !== undefined);
  const adapter = host ?? hostNamed("native");
  if (adapter === undefined) return { exit: 2, stdout: "", stderr: "hookpkg: this action cannot be judged\n" };
  const input = stdin ?? (await readStdin().catch(() => new Uint8Array()));
  const [home, folder] = [flagOf(argv, "--home"), flagOf(argv, "--project")];
  const typed = { ...(home === undefined ? {} : { home }), ...(folder === undefined ? {} : { folder }) };
  return replyWithoutEngine({ adapter, input, ...typed }, error);
}

function flagOf(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
