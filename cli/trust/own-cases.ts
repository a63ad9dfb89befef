import { sourcesOf } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { packageCases } from "@hookpkg/spec";
import { gotWords } from "../author/case-verdict.ts";
import { runOwnCases } from "../author/cases.ts";
import type { Call } from "../command.ts";
import type { Readable } from "./change.ts";
import { counted } from "./page.ts";

/** What a package's own cases say about it, run now in this machine's sandbox. */
export type CasesSaid = { text: string; warns: boolean };

/** Runs them once for each tree: handlers of one package share their cases. */
export function caseRunner(call: Call): (proposed: Readable) => Promise<CasesSaid> {
  const known = new Map<string, Promise<CasesSaid>>();
  return ({ package: found }) => {
    const said = known.get(found.tree) ?? runCases(call, found);
    known.set(found.tree, said);
    return said;
  };
}

async function runCases(call: Call, { files, spec, identities }: Readable["package"]): Promise<CasesSaid> {
  const { cases } = packageCases(sourcesOf(files));
  if (!("manifest" in spec) || cases.length === 0)
    return { text: "it has none: nothing shows what it does", warns: true };
  call.terminal.note(`running ${counted(cases.length, "case")} of ${spec.manifest.name} in the sandbox …`);
  try {
    const verdicts = await runOwnCases({ files, spec, identities }, call, { offline: true });
    const failed = verdicts.filter(({ passed }) => !passed);
    if (failed.length === 0) return { text: `${counted(verdicts.length, "case")} passed, none failed`, warns: false };
    const names = failed.slice(0, 5).map((one) => `${one.name} (wanted ${one.want}, got ${gotWords(one)})`);
    return { text: `${failed.length} of ${counted(verdicts.length, "case")} FAILED: ${names.join("; ")}`, warns: true };
  } catch (error) {
    if (isFault(error)) return { text: `they could not be run: ${error.message} [${error.code}]`, warns: true };
    throw error;
  }
}
