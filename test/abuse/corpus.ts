import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { tryBare } from "./bare.ts";
import { type Canaries, leftOvers, openCanaries } from "./canaries.ts";
import { type Case, filled, readCases } from "./case.ts";
import { type Hostile, openScene, PROJECT, removeFolder, run, type Scene, swapTree } from "./hostile.ts";
import tries from "./tries.js" with { type: "text" };

/** How one case went for one user. Without faults it was contained, or could not be tried for a reason that was seen. */
export type Row = { id: string; outcome: string; said: string; ms: number; faults: readonly string[] };

/** Runs the corpus, or the named cases, as whoever runs this process. */
async function runCorpus(ids: readonly string[] = []): Promise<Row[]> {
  const canaries = await openCanaries();
  try {
    const env = { SSH_AUTH_SOCK: canaries.token, GITHUB_TOKEN: canaries.token, LD_PRELOAD: canaries.token };
    const scene = openScene(canaries.base, canaries.places.PROJECT ?? "", env);
    const rows: Row[] = [];
    for (const one of readCases())
      if (ids.length === 0 || ids.includes(one.id)) rows.push(await timed(() => runCase(one, scene, canaries)));
    return rows;
  } finally {
    canaries.close();
  }
}

async function timed(step: () => Promise<Omit<Row, "ms">>): Promise<Row> {
  const from = performance.now();
  const row = await step();
  return { ...row, ms: Math.round(performance.now() - from) };
}

async function runCase(one: Case, scene: Scene, canaries: Canaries): Promise<Omit<Row, "ms">> {
  if (one.arch !== undefined && one.arch !== process.arch)
    return { id: one.id, outcome: `not tried: ${process.arch} has no such door`, said: "", faults: [] };
  try {
    const control = await tryBare(one, canaries);
    if (typeof control !== "string")
      return {
        id: one.id,
        outcome: "?",
        said: control.missed,
        faults: [`outside the sandbox it reaches nothing: ${control.missed}`],
      };
    const planted = Object.entries(one.planted ?? {}).map(([path, to]) => ({ at: join(scene.root, path), to }));
    for (const { at, to } of planted) symlinkSync(to, at);
    const outcome = await run(scene, hostileOf(one, canaries));
    for (const { at } of planted) rmSync(at);
    const faults = [...faultsOf(one, outcome, canaries), ...(await harmOf(canaries))];
    const word = `${wordOf(outcome)}${control === "absent" ? " (this kernel has no such thing)" : ""}`;
    return { id: one.id, outcome: word, said: saidIn(outcome).slice(0, 500), faults };
  } catch (error) {
    return { id: one.id, outcome: "?", said: "", faults: [`broken: ${error}`] };
  } finally {
    freshData(scene);
  }
}

function hostileOf(one: Case, { places }: Pick<Canaries, "places">): Hostile {
  const code = filled(one.code.join("\n"), places);
  const rights: Record<string, unknown> = JSON.parse(filled(JSON.stringify(one.rights ?? {}), places));
  const common = {
    rights,
    ...(one.timeoutSeconds === undefined ? {} : { timeoutSeconds: one.timeoutSeconds }),
    ...(one.swapped ? { before: swapTree } : {}),
  };
  if (one.kind === "command") {
    const script = one.raw ? code : `{\n${code}\n} 2>&1 >&2 </dev/null\nexit 2\n`;
    const run = { type: "command", argv: ["/bin/sh", "${PLUGIN_ROOT}/try.sh"] };
    return { ...common, run, files: { "try.sh": script, ...one.files } };
  }
  const module = `import * as t from "./tries.js";
async function said(event, ctx) {
${code}
}
export default async (event, ctx) => ({ answer: "cancel", reason: String(await said(event, ctx)) });
`;
  const run = { type: "module", module: "./guard.ts" };
  return { ...common, run, files: { "guard.ts": one.raw ? code : module, "tries.js": tries, ...one.files } };
}

function faultsOf({ want }: Case, outcome: Outcome, { token }: Canaries): string[] {
  const said = saidIn(outcome);
  const why = "why" in outcome ? outcome.why : undefined;
  return [
    ...(want.outcome === "*" || outcome.outcome === want.outcome
      ? []
      : [`wanted ${want.outcome}, came to ${wordOf(outcome)}: ${said.slice(0, 300)}`]),
    ...(want.why === undefined || want.why === why ? [] : [`wanted ${want.why}, came to ${why}`]),
    ...(want.says === undefined || new RegExp(want.says).test(said)
      ? []
      : [`should say /${want.says}/, said: ${said.slice(0, 300)}`]),
    ...(want.never !== undefined && new RegExp(want.never).test(said)
      ? [`must not say /${want.never}/, said: ${said.slice(0, 300)}`]
      : []),
    ...(JSON.stringify(outcome).includes(token) ? ["a canary was read"] : []),
  ];
}

const LOOKS = 100;
const LOOK_MS = 20;

async function harmOf(canaries: Canaries): Promise<string[]> {
  const mark = canaries.places.MARK ?? "";
  let left = leftOvers(mark);
  // A killed process is seen for a moment more.
  for (let look = 0; look < LOOKS && left.length > 0; look++) {
    await Bun.sleep(LOOK_MS);
    left = leftOvers(mark);
  }
  return [...canaries.harm(), ...left.map((pid) => `process ${pid} is left`)];
}

function saidIn(outcome: Outcome): string {
  if (outcome.outcome === "answered" && "reason" in outcome.answer) return outcome.answer.reason;
  if (outcome.outcome === "answered" && outcome.answer.context !== undefined) return outcome.answer.context;
  return JSON.stringify(outcome);
}

function wordOf(outcome: Outcome): string {
  if (outcome.outcome === "answered") return outcome.answer.answer === "cancel" ? "answered" : outcome.answer.answer;
  return "why" in outcome ? `${outcome.outcome} ${outcome.why}` : outcome.outcome;
}

/** Each case finds its package's data folder empty. */
function freshData({ home }: Scene): void {
  removeFolder(join(home.data, "data", PROJECT, "@abuse"));
}

if (import.meta.main) {
  for (const row of await runCorpus(process.argv.slice(2))) console.log(JSON.stringify(row));
  process.exit(0);
}
