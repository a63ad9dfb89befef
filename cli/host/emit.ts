import { isFault } from "@hookpkg/fault";
import { homeFolders, openEngine, REAL_OUTSIDE, tellNotice } from "@hookpkg/runtime";
import { type CommandData, type HandlerReport, parseJson } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { insideHost } from "../trust/inside-host.ts";
import { counted, pageLines } from "../trust/page.ts";
import { readStdin } from "./stdin.ts";

/** Tells `custom.NAME` to the approved handlers of the project, and says what became of it with each. */
export async function run(call: Call): Promise<Done<CommandData["emit"]>> {
  const [name, ...more] = call.args;
  if (name === undefined || more.length > 0)
    throw refuse("E_USAGE", { found: more[0]?.slice(0, 200) ?? "", expected: "one name: custom.NAME" });
  const home = homeFolders(call.home);
  const inside = insideHost(call, home);
  if (inside) throw refuse("E_EMIT_IN_HOST", inside.facts, inside);
  const cwd = projectRoot(call);
  const data = await dataOf(call);
  const place = { session: `emit-${REAL_OUTSIDE.randomId()}`, cwd, flag: cwd, host: "native", by: BY };
  const engine = openEngine({ home, env: call.env, worker: process.execPath, offline: call.flags.on("offline") });
  const { handlers, problems } = await tellNotice({ name, data }, place, engine);
  for (const { code, facts } of problems) call.terminal.note(`hookpkg: ${code} ${Object.values(facts).join(" ")}`);
  return { data: { event: name, handlers }, lines: pageLines(`${name}: ${heard(handlers)}`) };
}

/** What handlers and the journal see as its teller. */
const BY = "hookpkg emit";

/** JSON in the flag, or with `-` on stdin; null without it. */
async function dataOf(call: Call): Promise<unknown> {
  const text = call.flags.text("data");
  if (text === undefined) return null;
  const bytes = text === "-" ? (call.stdin ?? (await readStdin())) : new TextEncoder().encode(text);
  try {
    return parseJson(bytes);
  } catch (error) {
    if (isFault(error)) throw refuse("E_EMIT_JSON", { found: error.code }, error);
    throw error;
  }
}

function heard(handlers: readonly HandlerReport[]): string {
  if (handlers.length === 0) return "no approved handler of this project reacts to it";
  const ends = handlers.map(
    ({ handler, outcome = "not run", why }) => `${handler} ${outcome}${why ? ` (${why})` : ""}`,
  );
  return `told to ${counted(handlers.length, "handler")}: ${ends.join(", ")}`;
}
