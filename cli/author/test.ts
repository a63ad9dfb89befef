import { type CommandData, textEnds } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { load } from "../publish/load.ts";
import { oneLine } from "../terminal.ts";
import type { CaseVerdict } from "./case-verdict.ts";
import { runOwnCases } from "./cases.ts";
import { packageFolder } from "./package-folder.ts";

/** Runs the package's own cases in the sandbox, through the same chain that a host's events go through. */
export async function run(call: Call): Promise<Done<CommandData["test"]>> {
  const cases = await runOwnCases(await load(packageFolder(call)), call, { offline: false });
  const passed = cases.filter((one) => one.passed).length;
  const failed = cases.length - passed;
  return {
    data: { passed, failed, cases },
    lines: [
      ...cases.flatMap((one) => [lineOf(one), ...remarks(one, call.flags.on("verbose"))]),
      `${passed} passed, ${failed} failed`,
    ],
    exit: failed > 0 ? 1 : 0,
  };
}

/** What the handlers wrote to stderr: all of it when asked, else the ends of what belongs to a failed case. */
function remarks({ passed, stderr }: CaseVerdict, isVerbose: boolean): string[] {
  if (stderr === undefined) return [];
  if (isVerbose) return stderr.split("\n").map((line) => `      stderr: ${line}`);
  const ends = textEnds(stderr);
  return passed ? [] : [`      stderr: ${ends}${ends === stderr.trim() ? "" : "  (all of it: --verbose)"}`];
}

function lineOf({ name, passed, want, got, reason }: CaseVerdict): string {
  if (passed) return oneLine(`pass  ${name}: ${got}`);
  return oneLine(`FAIL  ${name}: wanted ${want}, got ${got}${reason === undefined ? "" : `: ${reason.slice(0, 500)}`}`);
}
