import { isFault } from "@hookpkg/fault";
import {
  type Home,
  homeFolders,
  journalEntries,
  liveSessions,
  REAL_OUTSIDE,
  sandboxOf,
  statistics,
} from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { isApproverKeyOpen } from "./approver-key.ts";
import { factWords } from "./fact-words.ts";
import { handlerLines } from "./list.ts";
import { loudLines } from "./loud.ts";
import { anyWaits, orderLines, orderWaits, waitingLines } from "./order-page.ts";
import { counted, pageLines } from "./page.ts";
import { handlerState, openTrust, type ProjectTrust } from "./project-trust.ts";

/** What guards this project, what waits, and what is broken. */
export async function run(call: Call): Promise<Done<CommandData["status"]>> {
  const home = homeFolders(call.home);
  const trust = await projectOrNone(call);
  const sandbox = await sandboxOf(home, process.execPath);
  const notes = [...(trust ? projectNotes(trust) : []), ...keyNotes(home)];
  const data = {
    project: trust?.place.root ?? null,
    sandbox: sandbox.available ? { available: true } : { available: false, why: sandbox.fault.code },
    handlers: trust ? trust.view.handlers.map((view) => handlerState(view)) : [],
    notes,
  };
  return { data, lines: lines(trust, sandbox, notes), ...(trust && anyWaits(trust.view) ? { exit: EXIT.waits } : {}) };
}

/** Outside every project there is still something to say. */
async function projectOrNone(call: Call): Promise<ProjectTrust | undefined> {
  try {
    return await openTrust(call);
  } catch (error) {
    if (isFault(error, "E_PROJECT_MISSING") && call.project === undefined) return undefined;
    throw error;
  }
}

function projectNotes({ home, place, view }: ProjectTrust): string[] {
  const sessions = liveSessions(home, place.id, REAL_OUTSIDE);
  return [
    ...loudLines(view),
    ...failingNotes(home, place.id),
    ...view.problems.map(({ code, facts }) => `problem: ${factWords(facts)} [${code}]`),
    ...sessions.map(({ host, lastEvent }) => `a session of ${host} is live, its last event was at ${lastEvent}`),
  ];
}

/** A guard that only fails is easily taken for one that works. */
function failingNotes(home: Home, project: string): string[] {
  return statistics(journalEntries(home, project)).flatMap(({ handler, failingSince, lastCode }) =>
    failingSince === null
      ? []
      : [`${handler} is failing since ${failingSince} [${lastCode}]: hookpkg explain --handler '${handler}'`],
  );
}

/** A key file that cannot be read is a note, too: status itself must work when things are broken. */
function keyNotes(home: Home): string[] {
  try {
    return isApproverKeyOpen(home) === true
      ? ["your approver's key has no passphrase: whoever can read it can approve for you"]
      : [];
  } catch (error) {
    if (isFault(error)) return [`your approver's key cannot be read [${error.code}]`];
    throw error;
  }
}

type Sandbox = Awaited<ReturnType<typeof sandboxOf>>;

function lines(trust: ProjectTrust | undefined, sandbox: Sandbox, notes: readonly string[]): string[] {
  const works = sandbox.available
    ? "sandbox: works"
    : `sandbox: unavailable, no handler can run: ${sandbox.fault.message} [${sandbox.fault.code}]: hookpkg doctor`;
  const where = trust ? `project: ${trust.place.root}` : "project: none here";
  return [
    ...pageLines(where),
    ...pageLines(works),
    ...(trust ? stateLines(trust) : []),
    ...notes.flatMap((note) => pageLines(note)),
  ];
}

/** What does not run as it should comes first. */
const STATES = ["held", "revoked", "modified", "untrusted", "managed", "trusted", "disabled", "rejected"] as const;

function stateLines({ view }: ProjectTrust): string[] {
  if (view.handlers.length === 0) return ["no handlers: nothing guards this project"];
  return [
    ...STATES.flatMap((state) => {
      const views = view.handlers.filter((one) => one.state === state);
      return views.length === 0
        ? []
        : [
            `${counted(views.length, "handler")} ${state}`,
            ...views.flatMap((one) => handlerLines(one, { full: true })),
          ];
    }),
    ...orderLines(orderWaits(view.order)),
    ...waitingLines(view),
  ];
}
