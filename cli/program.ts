import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { HostReply } from "@hookpkg/hosts";
import { type Asked, leadingWords, parseCommandLine } from "./arguments.ts";
import type { Call } from "./command.ts";
import { findCommand } from "./commands.ts";
import { failure } from "./failure.ts";
import { endOf } from "./host/entry-end.ts";
import manifest from "./package.json" with { type: "json" };
import { oneLine, openTerminal, writeAll } from "./terminal.ts";

/** Reads the world once, finds the command, runs it, prints what it gives. */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  stdin?: Uint8Array,
): Promise<number> {
  const json = argv.includes("--json");
  const terminal = openTerminal({
    json,
    quiet: argv.includes("--quiet") || argv.includes("-q"),
    noColor: Boolean(env.NO_COLOR),
  });
  try {
    const asked = parseCommandLine(argv);
    const text = await helpOrVersion(asked);
    if (text !== undefined || !asked.command) {
      terminal.result(text ?? "");
      return 0;
    }
    const done = await (await asked.command.load()).run(callOf(asked, env, { terminal, stdin }));
    if (done.printed) return done.exit ?? 0;
    if (done.reply) return await answerHost(done.reply, argv, done.after);
    if (json) terminal.result(JSON.stringify({ ok: true, data: done.data }));
    else for (const line of done.lines) terminal.result(oneLine(line));
    return done.exit ?? 0;
  } catch (error) {
    if (leadingWords(argv)[0] === "run")
      return await answerHost(await (await import("./host/failed-start.ts")).failedStart(argv, error, stdin), argv);
    const failed = failure(error, findCommand(leadingWords(argv))?.command.name);
    if (json) terminal.result(JSON.stringify(failed.json));
    else for (const line of failed.lines) writeAll(2, `${line}\n`); // with --quiet, too
    return failed.exit;
  }
}

/** Exactly the reply's bytes; what is left running must not delay it, nor spoil its exit code or say a second one. */
async function answerHost(reply: HostReply, argv: readonly string[], after?: () => Promise<void>): Promise<number> {
  const { stdout, stderr } = reply;
  const exit = endOf(reply.exit, argv);
  writeAll(1, stdout);
  writeAll(2, stderr);
  if (after === undefined) process.exit(exit);
  for (const end of ["uncaughtException", "unhandledRejection"] as const)
    process.removeAllListeners(end).on(end, () => process.exit(exit));
  const timer = setTimeout(() => process.exit(exit), MAX_AFTER_MS);
  await after().catch(() => undefined);
  clearTimeout(timer);
  process.exit(exit);
}

/** The host waits for this process: above what the runtime gives handlers that run after the decision. */
const MAX_AFTER_MS = 8000;

async function helpOrVersion({ command, args, flags }: Asked): Promise<string | undefined> {
  if (flags.on("version")) return `hookpkg ${manifest.version}`;
  if (command && !flags.on("help")) return undefined;
  const { commandHelp, overview } = await import("./help.ts");
  return command ? commandHelp(command) : args.length === 0 ? overview() : undefined;
}

type World = { terminal: Call["terminal"]; stdin: Uint8Array | undefined };

function callOf({ args, flags }: Asked, env: Call["env"], { terminal, stdin }: World): Call {
  const cwd = realpathSync(".");
  const folder = (name: string) => {
    const given = flags.text(name);
    return given === undefined ? undefined : resolve(cwd, given);
  };
  const folders = { home: folder("home"), project: folder("project") };
  return { args, flags, cwd, ...folders, env, terminal, ...(stdin === undefined ? {} : { stdin }) };
}
