import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { declaredFaults } from "@hookpkg/fault";
import { homeFolders } from "@hookpkg/runtime";
import { type CaseVerdict, type CommandData, textEnds } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { type Loaded, load } from "../publish/load.ts";
import { oneLine } from "../terminal.ts";
import { gotWords } from "./case-verdict.ts";
import { caseFolders, runOwnCases } from "./cases.ts";
import { packageFolder } from "./package-folder.ts";
import { type Refused, refusedIn, tracer } from "./trace.ts";

/** Runs the package's own cases in the sandbox, through the same chain that a host's events go through. */
export async function run(call: Call): Promise<Done<CommandData["test"]>> {
  const tested = await load(packageFolder(call));
  const { cases, refused } = call.flags.on("trace")
    ? await traced(tested, call)
    : { cases: await runOwnCases(tested, call, { offline: false }), refused: undefined };
  const isVerbose = call.flags.on("verbose");
  const passed = cases.filter((one) => one.passed).length;
  const failed = cases.length - passed;
  return {
    data: { passed, failed, cases, ...(refused === undefined ? {} : { refused }) },
    lines: [
      ...cases.flatMap((one) => [...verdictLines(one, isVerbose), ...remarks(one, isVerbose)]),
      ...(refused === undefined ? [] : refusedLines(refused)),
      `${passed} passed, ${failed} failed`,
    ],
    exit: failed > 0 ? 1 : 0,
  };
}

/** The cases with strace around their sandboxes: slower, and everything that was refused is seen. */
async function traced(tested: Loaded, call: Call): Promise<{ cases: CaseVerdict[]; refused: Refused[] }> {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-trace-"));
  try {
    const cases = await runOwnCases(tested, call, { offline: false, tracer: tracer(folder) });
    const { capabilities } = tested.spec.manifest;
    const places = { projects: caseFolders(tested.files), home: homeFolders(call.home).base, capabilities };
    return { cases, refused: refusedIn(folder, places) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refusedLines(refused: readonly Refused[]): string[] {
  if (refused.length === 0) return ["refused: nothing"];
  return refused.map(({ call, target, error, right }) =>
    oneLine(`refused  ${call} ${target}: ${error}${right === null ? "" : `; would be given by ${right}`}`),
  );
}

/** What the handlers wrote to stderr: all of it when asked, else the ends of what belongs to a failed case. */
function remarks({ passed, stderr }: CaseVerdict, isVerbose: boolean): string[] {
  if (stderr === undefined) return [];
  if (isVerbose) return stderr.split("\n").map((line) => `      stderr: ${line}`);
  const ends = textEnds(stderr);
  return passed ? [] : [`      stderr: ${ends}${ends === stderr.trim() ? "" : "  (all of it: --verbose)"}`];
}

/** A reason of several lines stands below, indented: nothing in it begins what looks like a line of ours. */
function verdictLines(one: CaseVerdict, isVerbose: boolean): string[] {
  const { name, passed, want, got, code, reason } = one;
  if (passed) return [oneLine(`pass  ${name}: ${isVerbose ? gotWords(one) : got}`)];
  const said = reason === undefined ? [] : reason.slice(0, MAX_REASON).trimEnd().split("\n");
  const [only = ""] = said.length === 1 ? said : [];
  const meaning = code === undefined ? undefined : declaredFaults().get(code);
  return [
    oneLine(`FAIL  ${name}: wanted ${want}, got ${gotWords(one)}${only === "" ? "" : `: ${only}`}`),
    ...(said.length > 1 ? said.map((line) => `      ${line}`) : []),
    ...(meaning === undefined ? [] : [`      ${code}: ${meaning}`]),
  ];
}

const MAX_REASON = 500;
