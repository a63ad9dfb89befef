import { isFault } from "@hookpkg/fault";
import { homeFolders } from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { pageLines } from "../trust/page.ts";
import { type Check, checkClock, failed } from "./check.ts";
import { hostChecks } from "./host-checks.ts";
import { personChecks } from "./person-checks.ts";
import { projectChecks } from "./project-checks.ts";
import { readingChecks } from "./reading-checks.ts";
import { registryChecks } from "./registry-checks.ts";
import { sandboxChecks } from "./sandbox-checks.ts";

/** Tries what must work; each failure comes with the command that mends it. Exit 6 when only the sandbox fails. */
export async function run(call: Call): Promise<Done<CommandData["doctor"]>> {
  const { sandbox, others } = await allChecks(call);
  const checks = [...sandbox, ...others];
  const exit = others.some(({ ok }) => !ok) ? EXIT.failed : sandbox.some(({ ok }) => !ok) ? EXIT.noSandbox : EXIT.ok;
  return { data: { checks }, lines: checks.flatMap(lines), exit };
}

async function allChecks(call: Call): Promise<{ sandbox: readonly Check[]; others: readonly Check[] }> {
  try {
    const home = homeFolders(call.home);
    const others = [
      ...(await personChecks(home, { offline: call.flags.on("offline") })),
      ...(await projectChecks(home)),
      ...(await readingChecks(home)),
      ...(await hostChecks(call, home)),
      ...(await registryChecks(call, home)),
      checkClock(new Date()),
    ];
    return { sandbox: await sandboxChecks(home), others };
  } catch (error) {
    // Not even the folders can be found: nothing else can be tried.
    const mend = isFault(error) ? adviceFor(error.code) : undefined;
    return { sandbox: [], others: [failed("home", error, mend ?? "use --home DIR")] };
  }
}

function lines({ name, ok, found, mend }: Check): string[] {
  return [
    ...pageLines(`${name}: ${found}`, "      ").map((line, n) =>
      n === 0 ? `${ok ? "ok    " : "FAIL  "}${line.trimStart()}` : line,
    ),
    ...(mend ? [`      mend: ${mend}`] : []), // never broken: it is copied
  ];
}
