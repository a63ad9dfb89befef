import type { Change, ChangedField } from "@hookpkg/identity";
import {
  type Capabilities,
  capabilityWords,
  eventRow,
  type May,
  matcherWords,
  NO_CAPABILITIES,
  type NormalForm,
  type Run,
} from "@hookpkg/spec";

/** One line about what a handler can do. `warns`: it acts in the person's name; `widened`: it could not before. */
export type Ability = { text: string; warns: boolean; widened: boolean };

/** What a handler can do to a person, the worst first. */
export function abilities(form: NormalForm, changes: readonly Change[] = []): Ability[] {
  const wider = new Set<ChangedField>(changes.filter((change) => change.widens).map((change) => change.field));
  const before = changes.find((change) => change.field === "may")?.before;
  const had = new Set(Array.isArray(before) ? before : form.may);
  const says = MAY_ORDER.filter((may) => form.may.includes(may)).map(
    (may): Ability => ({ ...mayWords(may, form), widened: !had.has(may) }),
  );
  const rights = (Object.keys(NO_CAPABILITIES) as (keyof Capabilities)[]).flatMap((right) =>
    capabilityWords({ ...NO_CAPABILITIES, [right]: form.capabilities[right] }).map(
      (text): Ability => ({ text, warns: right !== "limits", widened: wider.has(`capabilities.${right}`) }),
    ),
  );
  const plain = (text: string, field: ChangedField): Ability => ({ text, warns: false, widened: wider.has(field) });
  const model = modelAbility(form, changes);
  return [
    ...(says.length === 0 && model.length === 0 ? [plain("only watches: it can change nothing", "may")] : says),
    ...rights,
    ...model,
    plain(failWords(form), "failMode"),
    plain(`runs ${runWords(form.run)}, for ${form.timeoutMs / 1000} s at most${placeWords(form.run)}`, "timeoutMs"),
    ...(form.requires.length > 0 ? [plain(`needs ${form.requires.join(", ")}`, "requires")] : []),
  ];
}

/** What it reacts to, in one sentence, and whether that is more than before. */
export function reaction(form: NormalForm, changes: readonly Change[] = []): { text: string; widened: boolean } {
  const rules = form.if.map(({ tool, pattern }) => `${tool}(${pattern})`);
  const when = rules.length > 0 ? `, only ${rules.join(" or ")}` : "";
  const once = form.once ? ", once a session" : "";
  const widened = changes.some(({ field, widens }) => widens && (REACTS as readonly string[]).includes(field));
  return { text: `${form.event} of ${matcherWords(form.matcher)}${when}${once}`, widened };
}

/** `cancel, ask`, or that it only watches. */
export function mayList(form: NormalForm): string {
  return form.may.length === 0 ? "only watches" : `may ${form.may.join(", ")}`;
}

const REACTS = ["event", "matcher", "if", "once"] as const;
/** In the order in which a person should hear of them. */
const MAY_ORDER: readonly May[] = ["allow", "patch", "context", "cancel", "ask"];

function mayWords(may: May, form: NormalForm): { text: string; warns: boolean } {
  const isResult = form.event === "PostToolUse";
  if (may === "allow") return { text: "allows calls for you: you are not asked about them any more", warns: true };
  if (may === "patch" && isResult) return { text: "replaces what your agent reads as a tool's result", warns: true };
  if (may === "patch")
    return { text: "rewrites calls before they run: that is the same as running any command as you", warns: true };
  if (may === "context") return { text: "tells your agent things: text that it will read and may obey", warns: true };
  if (may === "ask") return { text: "makes the host ask you first", warns: false };
  return { text: isResult ? "hides a tool's result from your agent" : "cancels calls", warns: false };
}

/** What no right says: whose word it is, and who can have a say in it. */
function modelAbility({ run, event }: NormalForm, changes: readonly Change[]): Ability[] {
  if (run.type !== "prompt" && run.type !== "agent") return [];
  const before = changes.find(({ field }) => field === "run")?.before;
  const widened = typeof before === "object" && before !== null && !("prompt" in before);
  const does =
    eventRow(event).kind === "notice"
      ? "begins a turn of your model, and your agent may be told its text"
      : "lets your model decide";
  const text = `${does}: the whole event goes to the model's server, and whatever text is in it can talk to the model`;
  return [{ text, warns: true, widened }];
}

function failWords({ failMode, async }: NormalForm): string {
  if (async) return "is not waited for: its answer counts for nothing";
  return failMode === "closed"
    ? "when it fails, is late or cannot run, the action is cancelled"
    : "when it fails or is late, the action passes and you are told";
}

function runWords(run: Run): string {
  if (run.type === "module") return `the module ${run.path}`;
  if (run.type === "service") return `the program ${JSON.stringify(run.argv)}, which stays between calls`;
  if (run.type === "http") {
    const headers = Object.entries(run.headers).map(([name, value]) => `${name}: ${value}`);
    return `a POST of the whole event to ${run.url}${headers.length === 0 ? "" : ` with ${headers.join(", ")}`}`;
  }
  if (run.type === "prompt") return `one call of your ${run.model} model: ${JSON.stringify(run.prompt)}`;
  if (run.type === "agent") return `a turn of your ${run.model} model: ${JSON.stringify(run.prompt)}`;
  return "argv" in run ? `the command ${JSON.stringify(run.argv)}` : `the shell command ${JSON.stringify(run.shell)}`;
}

function placeWords(run: Run): string {
  return ["http", "prompt", "agent"].includes(run.type) ? "" : ", in the sandbox";
}
