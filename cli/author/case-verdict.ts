import type { ChainEntry, Chained } from "@hookpkg/runtime";
import type { Answer, CaseVerdict, Decision, PackageCase, PatchFields } from "@hookpkg/spec";

/** Holds what the chain concluded against what the case wants. A guard that crashed has answered nothing, though it refuses. */
export function caseVerdict(one: PackageCase, said: Said): CaseVerdict {
  const stderr = said.result.entries.flatMap(({ outcome }) => outcome?.stderr ?? []).join("\n");
  return { ...verdict(one, said), ...(stderr === "" ? {} : { stderr }) };
}

/** What came of it, and whose it is. */
export function gotWords({ got, asked, by }: CaseVerdict): string {
  if (by !== undefined && by.length > 0) return `${got}, by ${by.join(", ")}`;
  if (asked === undefined) return got;
  return asked.length === 0 ? `${got}; no handler reacts to it` : `${got}; asked: ${asked.join(", ")}`;
}

type Said = { result: Chained; decision: Omit<Decision, "person"> };

function verdict({ name, want }: PackageCase, { result, decision }: Said): CaseVerdict {
  const asked = result.entries.filter(({ matched, recheck }) => matched && !recheck).map(idOf);
  const broken = result.entries.find(isBroken);
  const failure = broken?.outcome;
  if (broken && failure && "why" in failure) {
    const detail = "detail" in failure ? failure.detail : undefined;
    const got = `${failure.outcome} (${failure.why})`;
    return {
      ...{ name, passed: false, want: want.answer, got, asked, by: [idOf(broken)], code: failure.why },
      ...(detail === undefined ? {} : { reason: detail }),
    };
  }
  const answers = result.entries.flatMap(answerOf);
  const got = concluded(decision, result);
  const reasons = answers.flatMap((answer) => ("reason" in answer ? [answer.reason] : []));
  const printed = answers.flatMap(({ printed: text }) =>
    text === undefined ? [] : [`it printed text, no decision: ${text}`],
  );
  const words = [...reasons, ...printed];
  const missing =
    want.reasonIncludes !== undefined && !reasons.some((text) => text.includes(want.reasonIncludes ?? ""));
  const other =
    want.patch !== undefined && !patches(answers, result).some((fields) => Bun.deepEquals(fields, want.patch));
  const wanted = `${want.answer}${missing ? `, saying "${want.reasonIncludes}"` : ""}${other ? ` ${JSON.stringify(want.patch)}` : ""}`;
  const found = `${got}${other ? ` ${JSON.stringify(result.patch ?? null)}` : ""}`;
  const passed = got === want.answer && !missing && !other;
  return {
    name,
    passed,
    want: wanted,
    got: found,
    asked,
    by: [...new Set(result.entries.filter(saysMore).map(idOf))],
    ...(words[0] === undefined ? {} : { reason: words.join("; ") }),
  };
}

function concluded({ decision, patch, context }: Omit<Decision, "person">, { entries }: Chained): Answer["answer"] {
  if (decision !== "continue") return decision;
  if (patch !== undefined) return "patch";
  return context === undefined || !entries.some(({ matched }) => matched) ? "continue" : "context";
}

/** As the one patcher set it, or as it is after all of them. */
function patches(answers: readonly Answer[], { patch }: Chained): PatchFields[] {
  const said = answers.flatMap((answer) => ("fields" in answer && answer.fields !== undefined ? [answer.fields] : []));
  return [...(said.length === 1 ? said : []), ...(patch === undefined ? [] : [patch])];
}

function answerOf({ outcome }: ChainEntry): Answer[] {
  return outcome?.outcome === "answered" ? [outcome.answer] : [];
}

function idOf({ gated }: ChainEntry): string {
  return gated.name.slice(gated.name.lastIndexOf("#"));
}

function saysMore({ outcome }: ChainEntry): boolean {
  return outcome?.outcome === "answered" && outcome.answer.answer !== "continue";
}

function isBroken({ outcome }: ChainEntry): boolean {
  return outcome !== undefined && outcome.outcome !== "answered" && outcome.outcome !== "not-reached";
}
