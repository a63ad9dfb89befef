import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { load } from "../publish/load.ts";
import { plainText } from "../terminal.ts";
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
    lines: [...cases.map(lineOf), `${passed} passed, ${failed} failed`],
    exit: failed > 0 ? 1 : 0,
  };
}

function lineOf({ name, passed, want, got, reason }: CaseVerdict): string {
  if (passed) return plainText(`pass  ${name}: ${got}`);
  return plainText(
    `FAIL  ${name}: wanted ${want}, got ${got}${reason === undefined ? "" : `: ${reason.slice(0, 500)}`}`,
  );
}
