import { isFault } from "@hookpkg/fault";
import { type Home, homeFolders, liveSessions, REAL_OUTSIDE, sandboxOf } from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import { approverKeyFile } from "../author/key-file.ts";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { aliveNote, hostsAlive } from "../host/alive.ts";
import { attachedHosts, neverAsked, reachOfView } from "../host/reach.ts";
import { goneLines } from "../project/files.ts";
import { isApproverKeyOpen } from "./approver-key.ts";
import { brokenIn, problemTexts, type Said, unreadableApprovals } from "./broken.ts";
import { failingIn } from "./failing.ts";
import { handlerLines } from "./list.ts";
import { loud } from "./loud.ts";
import { anyWaits, orderLines, orderWaits, waitingLines } from "./order-page.ts";
import { adviceLines, counted, pageLines } from "./page.ts";
import { handlerState, openTrust, type ProjectTrust, withoutSandbox } from "./project-trust.ts";

/**
 * What guards this project, what waits, and what is broken. Exit 1 when something is held, switched off, never asked or failing, or cannot be
 * read, 6 when only the sandbox is unavailable, 3 when something waits; 0 means that all that was approved guards as it was approved.
 */
export async function run(call: Call): Promise<Done<CommandData["status"]>> {
  const home = homeFolders(call.home);
  const found = await projectOrNone(call);
  const sandbox = await sandboxOf(home, process.execPath);
  const trust = found && !sandbox.available ? withoutSandbox(found, sandbox.fault.code) : found;
  const broken = [...(found ? await brokenIn(found) : await unreadableApprovals(home)), ...keyBroken(home)];
  const unasked = trust ? await neverNotes(call, trust) : [];
  const off = trust ? loud(trust.view) : [];
  const failing = trust ? await failingIn(home, trust.place) : { guards: [], others: [] };
  // Without a sandbox all that is asked fails, which is said once and has an exit code of its own.
  const failingGuards = sandbox.available ? failing.guards : [];
  const hosts = hostsAlive(home);
  const notes = [
    ...[...broken, ...unasked, ...off, ...failing.guards, ...failing.others],
    ...(trust ? projectNotes(trust) : []),
    ...[...hosts.map((one) => aliveNote(one, REAL_OUTSIDE.now())), ...keyNotes(home)],
  ];
  const data = {
    project: trust?.place.root ?? null,
    sandbox: sandbox.available ? { available: true } : { available: false, why: sandbox.fault.code },
    handlers: trust ? trust.view.handlers.map((view) => handlerState(view)) : [],
    hosts,
    notes: notes.map(({ text, command }) => (command === undefined ? text : `${text}: ${command}`)),
  };
  const waits = trust !== undefined && anyWaits(trust.view);
  const exit = [broken, unasked, off, failingGuards].some(({ length }) => length > 0)
    ? EXIT.failed
    : sandbox.available
      ? waits
        ? EXIT.waits
        : EXIT.ok
      : EXIT.noSandbox;
  return { data, lines: lines(trust, sandbox, notes), exit };
}

/** What nobody would ever ask guards nothing, whatever its state says. */
async function neverNotes(call: Call, { home, place, view }: ProjectTrust): Promise<Said[]> {
  const hosts = await attachedHosts(call, home, place.root);
  const running = view.handlers.filter(({ state }) => state === "trusted" || state === "managed");
  return running.flatMap((one) => {
    const reach = reachOfView(hosts, one);
    return neverAsked(reach) ? [{ text: `!! ${one.name} is NEVER asked: ${reach[0]?.lost.join("; ")}` }] : [];
  });
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

function projectNotes({ home, place, view }: ProjectTrust): Said[] {
  const sessions = liveSessions(home, place.id, REAL_OUTSIDE);
  return [
    ...goneLines(home, place.root).map((text) => ({ text })),
    ...problemTexts(view.problems).map((text) => ({ text: `problem: ${text}` })),
    ...sessions.map(({ host, session, lastEvent }) => ({
      text: `a session of ${host} is live: ${session.slice(0, 100)}, last event at ${lastEvent}. ${ENDS}`,
    })),
  ];
}

const ENDS =
  "It ends with the host's SessionEnd, or half an hour after its last event; until then no automation key can approve.";

function keyNotes(home: Home): Said[] {
  if (keyBroken(home).length > 0 || isApproverKeyOpen(home) !== true) return [];
  return [{ text: "your approver's key has no passphrase: whoever can read it can approve for you" }];
}

/** Status itself must work when things are broken. */
function keyBroken(home: Home): Said[] {
  try {
    isApproverKeyOpen(home);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ text: `!! your approver's key cannot be read: ${approverKeyFile(home)} [${error.code}]` }];
  }
}

type Sandbox = Awaited<ReturnType<typeof sandboxOf>>;

function lines(trust: ProjectTrust | undefined, sandbox: Sandbox, notes: readonly Said[]): string[] {
  const works = sandbox.available
    ? { text: "sandbox: works" }
    : {
        text: `!! sandbox: UNAVAILABLE, no handler can run: ${sandbox.fault.message} [${sandbox.fault.code}]`,
        command: commandText("hookpkg", "doctor"),
      };
  const where = trust ? `project: ${trust.place.root}` : "project: none here";
  return [...pageLines(where), ...saidLines(works), ...(trust ? stateLines(trust) : []), ...notes.flatMap(saidLines)];
}

function saidLines({ text, command }: Said): string[] {
  return command === undefined ? pageLines(text) : adviceLines(text, command);
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
