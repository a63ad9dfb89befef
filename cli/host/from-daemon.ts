import { resolve } from "node:path";
import { askDaemon, homeFolders, ownProgram, startDaemon } from "@hookpkg/runtime/client";
import manifest from "../package.json" with { type: "json" };
import { writeAll } from "../write-all.ts";
import { endOf } from "./entry-end.ts";
import { readStdin } from "./stdin.ts";

/**
 * A host's event handed to the daemon: ends the process with its reply. Gives back what was read of stdin whenever there is no daemon, or
 * anything about it or about the words is not as it should be; then the program judges by itself. Never throws.
 */
export async function fromDaemon(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ stdin?: Uint8Array }> {
  let stdin: Uint8Array | undefined;
  // An error that nobody waits for would end the process with 1, which every host takes for a yes.
  const judgeHere = async () => process.exit(await (await import("../program.ts")).main(argv, env, stdin));
  process.on("uncaughtException", judgeHere).on("unhandledRejection", judgeHere);
  try {
    const asked = plainWords(argv);
    if (asked === undefined) return {};
    stdin = await readStdin();
    const home = homeFolders(asked.home);
    const { words, build } = ownProgram(process.argv[1] ?? "", manifest.version);
    const said = await askDaemon(home, build, { host: asked.host, project: asked.project, event: stdin, env });
    if (typeof said !== "string") {
      writeAll(1, said.stdout);
      writeAll(2, said.stderr);
      process.exit(endOf(said.exit, argv));
    }
    if (said === "absent" || said === "other-build")
      startDaemon(home, [...words, "daemon", "serve", ...(asked.home === undefined ? [] : ["--home", asked.home])]);
  } catch {
    // The program says what is wrong, if it is.
  } finally {
    process.off("uncaughtException", judgeHere).off("unhandledRejection", judgeHere);
  }
  return stdin === undefined ? {} : { stdin };
}

type Words = { host: string; home: string | undefined; project: string | undefined };

/** `run HOST` with the three flags that entries have; anything else is the program's to read. */
function plainWords([, ...words]: readonly string[]): Words | undefined {
  const found = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--entry") continue;
    const name = FLAGS[word] ?? (word.startsWith("-") ? undefined : "host");
    const value = name === "host" ? word : words[++at];
    if (name === undefined || value === undefined || value.startsWith("-") || found.has(name)) return undefined;
    found.set(name, name === "host" ? value : resolve(value));
  }
  const host = found.get("host");
  return host === undefined ? undefined : { host, home: found.get("home"), project: found.get("project") };
}

const FLAGS: Readonly<Record<string, string>> = { "--home": "home", "--project": "project" };
