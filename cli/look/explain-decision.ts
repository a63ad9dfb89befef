import { declaredFaults } from "@hookpkg/fault";
import { journalEntries, readApprovals, USER } from "@hookpkg/runtime";
import type { CommandData, JournalLine, ProjectApprovals } from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { pageLines } from "../trust/page.ts";
import { openTrust, type ProjectTrust } from "../trust/project-trust.ts";
import { reaction } from "../trust/words.ts";
import { countOf } from "./count.ts";
import { loadEveryFault } from "./every-fault.ts";
import { toldText } from "./log.ts";

const MAX_BACK = 10_000;

type Explained = CommandData["explain decision"];

/**
 * Why an event was decided as it was, by the journal's own words: each handler that was considered, whether it matched, what came of it,
 * what the host was told. The last event; with `--at N` the N-th last, with `--handler` of those that it was considered at.
 */
export async function explainDecision(call: Call): Promise<Done<Explained>> {
  const back = countOf(call, "at", { absent: 1, max: MAX_BACK });
  const handler = call.flags.text("handler");
  const trust = await openTrust(call);
  const decision = nthLast(
    trust,
    back,
    (lines) => handler === undefined || lines.some((line) => line.handler === handler),
  );
  if (decision === undefined) throw refuse("E_DECISION_NONE", { at: back, ...(handler ? { handler } : {}) });
  await loadEveryFault();
  const reacts = await reactions(trust);
  const data = explained(decision, reacts);
  return { data, lines: lines(data) };
}

/** One pass over the journal: an event's lines stand together, and only so many events are kept as are asked for. */
function nthLast(
  { home, place }: ProjectTrust,
  back: number,
  isMeant: (lines: readonly JournalLine[]) => boolean,
): readonly JournalLine[] | undefined {
  let kept: JournalLine[][] = [];
  let current: JournalLine[] = [];
  const close = () => {
    if (current.length > 0 && isMeant(current)) kept.push(current);
    if (kept.length > 2 * back) kept = kept.slice(-back);
    current = [];
  };
  for (const entry of journalEntries(home, place.id)) {
    if ("torn" in entry) continue;
    if (current[0] && keyOf(current[0]) !== keyOf(entry.line)) close();
    current.push(entry.line);
  }
  close();
  return kept.at(-back);
}

function keyOf({ at, session, turn, host, event, by, tool }: JournalLine): string {
  return JSON.stringify([at, session, turn, host, event, by, tool]);
}

/** What each identity that is still on record reacts to. */
async function reactions({ home, place }: ProjectTrust): Promise<ReadonlyMap<string, string>> {
  const read = await readApprovals(home);
  const places: (ProjectApprovals | undefined)[] =
    read.read === "signed" ? [read.projects[place.id], read.projects[USER]] : [];
  const entries = places.flatMap((one) => Object.values(one?.entries ?? {}));
  return new Map(entries.map(({ identity, normalForm }) => [identity, reaction(normalForm).text]));
}

function explained(decision: readonly JournalLine[], reacts: ReadonlyMap<string, string>): Explained {
  const [first] = decision;
  if (first === undefined) throw refuse("E_DECISION_NONE");
  const { at, host, session, turn, event, by, tool, told, patched, forced } = first;
  return {
    ...{ at, host, session, turn, event, told },
    ...(by === undefined ? {} : { by }),
    ...(tool === undefined ? {} : { tool }),
    ...(patched === undefined ? {} : { patched }),
    ...(forced === undefined ? {} : { forced }),
    handlers: decision.map((line) => {
      const { handler, identity, state, matched, outcome, answer, why, code, stderr, denied, ms } = line;
      const reaction = reacts.get(identity);
      return {
        ...{ handler, identity, state, matched, outcome, ms },
        ...(reaction === undefined ? {} : { reacts: reaction }),
        ...(answer === undefined ? {} : { answer }),
        ...(why === undefined ? {} : { why }),
        ...(code === undefined ? {} : { code }),
        ...(stderr === undefined ? {} : { stderr }),
        ...(denied === undefined ? {} : { denied }),
      };
    }),
  };
}

function lines({ at, host, event, by, tool, told, patched, forced, handlers }: Explained): string[] {
  return [
    ...pageLines(`${at}  ${host}  ${tool === undefined ? event : `${event} ${tool}`}`),
    ...(by === undefined ? [] : pageLines(`told by ${by}`)),
    ...pageLines(
      `the host was told: ${toldText({ told, patched })}${forced ? ", against its handlers: they had kept the agent going too often" : ""}`,
    ),
    ...handlers.flatMap(handlerText),
  ];
}

function handlerText(one: Explained["handlers"][number]): string[] {
  const { handler, state, matched, outcome, answer, why, code, stderr, denied, reacts, ms } = one;
  const end = matched ? [outcome, answer].filter(Boolean).join(": ") : "did not match";
  const meaning = code === undefined ? undefined : declaredFaults().get(code);
  const advice = code === undefined ? undefined : adviceFor(code);
  return [
    ...pageLines(`${handler} (${state}): ${end}${matched ? `, ${ms} ms` : ""}`, "  "),
    ...(reacts === undefined ? [] : pageLines(`reacts to ${reacts}`, "      ")),
    ...(why === undefined
      ? []
      : pageLines(matched && outcome !== "not-run" ? `said: ${why}` : `because ${why}`, "      ")),
    ...(code === undefined ? [] : pageLines(`${code}${meaning ? `: ${meaning}` : ""}`, "      ")),
    ...(advice === undefined ? [] : pageLines(advice, "        ")),
    ...(stderr === undefined ? [] : pageLines(`stderr: ${stderr}`, "      ")),
    ...(denied ?? []).flatMap((what) => pageLines(`was not granted: ${what}`, "      ")),
  ];
}
