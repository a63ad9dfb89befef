import { type CanonicalMatcher, canonicalMatcher, hookProblems, inSeconds, knownEvent } from "@hookpkg/hosts";
import { type EventName, eventRow, foldEvent, isKnownEvent, MAX_TIMEOUT_S, parsePermissionRule } from "@hookpkg/spec";
import type { Found } from "./hooks.ts";
import { mayOf, REFUSES } from "./may.ts";
import { type Asked, askedBy } from "./rights.ts";
import { runOf } from "./run.ts";
import { scriptNotes } from "./script-notes.ts";
import { placeOfSign, type ScriptText, wholeText } from "./script-text.ts";
import type { Source } from "./source.ts";
import type { Tree } from "./tree.ts";

/** A handler as it will stand in hooks/hooks.json, but for its id. `stem`: what it could be called. */
export type Carried = {
  found: Found;
  event: EventName;
  matcher?: string;
  entry: Readonly<Record<string, unknown>>;
  stem: string | undefined;
  asked: readonly Asked[];
  notes: readonly string[];
};

/** Seconds that a hook without a timeout is given: less than hosts give, more than a handler's default. */
const MAX_UNSAID_S = 60;

/** Fields that are read somewhere; others are named and dropped. */
const FIELDS = new Set(
  "type command args shell url headers allowedEnvVars allowed_env_vars prompt model timeout if once async statusMessage status_message onFailure env name description matcher hooks sequential".split(
    " ",
  ),
);

/** One hook in our form, or why it can't be carried over. */
export function carried(found: Found, source: Source, tree: Tree): Carried | { why: string } {
  const { host } = source;
  const event = eventOf(found, source);
  if (event === undefined) return { why: `no event is called ${found.event.slice(0, 100)}` };
  const run = runOf(found, source, tree);
  if ("why" in run) return run;
  const matcher = matcherOf(found, event, source);
  if (matcher.drops !== undefined) return { why: matcher.drops };
  const condition = conditionOf(found, source);
  if (condition.why !== undefined) return { why: condition.why };
  const may = mayOf(event, run.texts, host);
  const time = timeOf(found, event, source);
  const once = onceOf(found, event, may.may ?? eventRow(event).defaultMay);
  const status = found.entry.statusMessage ?? found.entry.status_message;
  const isBlocking =
    found.entry.onFailure === "block" &&
    found.entry.async !== true &&
    (may.may ?? eventRow(event).defaultMay).includes("cancel");
  return {
    ...{ found, event, stem: run.stem },
    ...(matcher.matcher === undefined ? {} : { matcher: matcher.matcher }),
    entry: {
      ...run.entry,
      ...(may.may === undefined || found.entry.async === true ? {} : { may: may.may }),
      ...time.timeout,
      ...(isBlocking && !/Stop$/.test(event) ? { failMode: "closed" } : {}),
      ...(condition.rule === undefined ? {} : { if: condition.rule }),
      ...once.once,
      ...(found.entry.async === true ? { async: true } : {}),
      ...(host.answers === "strict" && found.notify === undefined ? { answers: "strict" } : {}),
      ...(typeof status === "string" && status !== "" ? { statusMessage: status.slice(0, 200) } : {}),
    },
    asked: [
      ...run.asked,
      ...askedBy(run.texts).filter((one) => one.kind !== "env" || run.set?.includes(one.name) !== true),
    ],
    notes: [
      ...[...run.notes, ...matcher.notes, ...may.notes, ...time.notes, ...once.notes, ...condition.notes],
      ...dropped(found),
      ...unread(found, source),
      ...powerless(event, run.texts),
      ...differences(found, source, run.texts),
    ],
  };
}

/** By the host's own reading; a name that only others use is understood, but never ran there. */
function eventOf({ event, notify }: Found, { host }: Source): EventName | undefined {
  const own = knownEvent(host.adapter, event);
  const folded = foldEvent(event);
  if (own) return own;
  return notify !== undefined || (folded !== undefined && isKnownEvent(folded)) ? folded : undefined;
}

function matcherOf({ matcher }: Found, event: EventName, { host }: Source): CanonicalMatcher {
  const { matches } = eventRow(event);
  const plain = (matcher ?? "").trim();
  if (matches === "tool") return canonicalMatcher(matcher, host);
  if (matches !== null || plain === "" || plain === "*") {
    const value = plain === "" || plain === "*" ? {} : { matcher: plain };
    return { ...value, notes: [] };
  }
  return { notes: [`${event} has no matcher: ${JSON.stringify(plain.slice(0, 100))} left out`] };
}

/** Where a condition is a text to be found in the input, it is a pattern with stars around it here. */
function conditionOf({ entry }: Found, { host }: Source): { rule?: string | string[]; why?: string; notes: string[] } {
  const wanted = entry.if;
  if (wanted === undefined || wanted === "") return { notes: [] };
  const rules = [wanted].flat().map((one) => (typeof one !== "string" ? "" : host.ifIsPart ? asPart(one) : one));
  const wrong = rules.find((rule) => parsePermissionRule(rule) === undefined);
  // Without its condition it would run on calls that it was not written for.
  if (wrong !== undefined)
    return { why: `its condition ${JSON.stringify(wanted).slice(0, 200)} is no rule here`, notes: [] };
  const [rule, ...more] = rules;
  const notes = host.ifIsPart ? [`if ${JSON.stringify(wanted).slice(0, 100)} is ${rules.join(", ")} here`] : [];
  return { rule: more.length > 0 || rule === undefined ? rules : rule, notes };
}

function asPart(rule: string): string {
  const [, tool = "", part = ""] = /^([A-Za-z][\w-]*)\((.*)\)$/.exec(rule) ?? [];
  if (tool === "") return rule;
  // Elsewhere the text may stand in any field, and a rule looks at one: more calls are better than less.
  return tool === "Bash" ? `${tool}(*${part.replace(/^\*|\*$/g, "")}*)` : tool;
}

function timeOf({ timeout, type, notify }: Found, event: EventName, { host }: Source) {
  const row = eventRow(event);
  const isModel = type === "prompt" || type === "agent";
  const end = event === "SessionEnd" ? row.defaultTimeoutMs / 1000 : MAX_TIMEOUT_S;
  if (timeout === null || timeout <= 0) {
    if (isModel || notify !== undefined || row.kind === "notice") return { timeout: {}, notes: [] };
    const given = Math.min(MAX_UNSAID_S, host.defaultTimeoutS);
    const isLess = given < host.defaultTimeoutS;
    const notes = isLess ? [`it names no timeout: ${given} s here, ${host.defaultTimeoutS} s there`] : [];
    return { timeout: { timeout: given }, notes };
  }
  // A tenth of a second is no hook's: a move from a host with seconds copies the number as it stands.
  const isCopied = host.rules.unit === "ms" && timeout < 100;
  const seconds = isCopied ? timeout : inSeconds(host, timeout);
  const notes = isCopied ? [`its timeout of ${timeout} is milliseconds there, and never enough: taken as seconds`] : [];
  if (seconds <= end) return { timeout: { timeout: seconds }, notes };
  const meant = seconds >= 1000 ? `; if milliseconds were meant, write ${seconds / 1000}` : "";
  return {
    timeout: { timeout: end },
    notes: [...notes, `its timeout of ${seconds} s is ${end} s here, the most there is${meant}`],
  };
}

function onceOf({ entry }: Found, event: EventName, may: readonly string[]) {
  if (entry.once !== true) return { once: {}, notes: [] };
  const isGuard = eventRow(event).matches === "tool" && eventRow(event).kind === "stage" && may.includes("cancel");
  if (isGuard) return { once: {}, notes: ["once is left out: who may cancel a call is asked about each"] };
  return { once: { once: true }, notes: [] };
}

function dropped({ fields, group }: Found): string[] {
  const names = [...fields, ...Object.keys(group)].filter((field) => !FIELDS.has(field));
  return names.length === 0 ? [] : [`unknown here, left out: ${[...new Set(names)].join(", ").slice(0, 300)}`];
}

/** A host may obey at an event what nobody obeys here. */
function powerless(event: EventName, texts: readonly ScriptText[]): string[] {
  const place = eventRow(event).may.includes("cancel") ? undefined : placeOfSign(texts, REFUSES);
  return place === undefined ? [] : [`${event} can't be refused here: its refusal stops nothing (${place})`];
}

function unread({ unread = [] }: Found, { host }: Source): string[] {
  return unread.length === 0 ? [] : [`left out, as ${host.adapter.name} never read it: ${unread.join(", ")}`];
}

/** What its host never made of it, and what means something else here. */
function differences(found: Found, { host }: Source, texts: readonly ScriptText[]): string[] {
  const text = wholeText(texts);
  const there =
    found.notify === undefined ? hookProblems(found, { adapter: host.adapter, rules: host.rules, text }) : [];
  return [
    ...there
      .filter(({ kind }) => kind !== "form" && kind !== "unit")
      .map((one) => `at ${host.adapter.name}: ${one.text}`),
    ...scriptNotes(texts),
    ...host.differs.filter(({ sign }) => sign.test(text)).map(({ why }) => why),
  ];
}
