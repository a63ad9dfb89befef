import { filledIn, literalLists, literalsOf } from "./literals.ts";
import type { Handle, Machine } from "./machine.ts";
import { given, optionsOf } from "./options.ts";
import { outputOf } from "./output.ts";
import { fileText } from "./redirect.ts";
import { afterSubshell, printed, type State } from "./state.ts";
import { ANY, isKnown } from "./unknown.ts";

/** How an interpreter takes its program: options whose value is one; `first`: the first operand is one. */
type Language = { code: readonly string[]; letters?: string; verb?: string; isFirst?: true };

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: { code: ["-c"], letters: "cWX" },
  pypy: { code: ["-c"], letters: "cWX" },
  perl: { code: ["-e", "-E"], letters: "eEMmI" },
  ruby: { code: ["-e"], letters: "erI" },
  node: { code: ["-e", "-p", "--eval", "--print", "-pe"], letters: "epr" },
  bun: { code: ["-e", "-p", "--eval", "--print"], letters: "ep" },
  deno: { code: [], verb: "eval" },
  tsx: { code: ["-e", "--eval"], letters: "e" },
  php: { code: ["-r"], letters: "rd" },
  lua: { code: ["-e"], letters: "el" },
  luajit: { code: ["-e"], letters: "el" },
  osascript: { code: ["-e"], letters: "el" },
  Rscript: { code: ["-e"], letters: "e" },
  groovy: { code: ["-e"], letters: "e" },
  pwsh: { code: ["-Command", "-c", "-command"], letters: "c" },
  powershell: { code: ["-Command", "-c", "-command"], letters: "c" },
  awk: { code: [], isFirst: true, letters: "Fvf" },
  gawk: { code: [], isFirst: true, letters: "Fvfi" },
  mawk: { code: [], isFirst: true, letters: "Fvf" },
  nawk: { code: [], isFirst: true, letters: "Fvf" },
};

export const interpreters: ReadonlyMap<string, Handle> = new Map(
  Object.entries(LANGUAGES).map(([name, language]): [string, Handle] => [
    name,
    (machine, words, state) => interpret(machine, language, words, state),
  ]),
);

function interpret(machine: Machine, language: Language, words: readonly string[], state: State): State[] {
  const [name = "", ...args] = words;
  if (name === "bun" && args[0] === "x")
    return machine.call(args.slice(1), state, "plain").map((one) => afterSubshell(state, one));
  const program = programOf(machine, language, args, state);
  let after: State[] = [state];
  for (const text of program.texts) {
    machine.tell(machine.watch.code?.({ language: name, text, args: program.args, at: machine.at(state), state }));
    after = after.flatMap((now) => startedByCode(machine, name, text, now)).map((one) => afterSubshell(state, one));
  }
  return after.map((one) => printed(one, outputOf(machine, words, state)));
}

type Program = { texts: string[]; args: readonly string[] };

function programOf(machine: Machine, language: Language, args: readonly string[], state: State): Program {
  // PowerShell's and node's long options with one dash or two take the next word.
  const names = language.code.map((option) => option.replace(/^--?/, ""));
  const long = args.findIndex((arg) => arg.length > 2 && language.code.includes(arg));
  if (long >= 0) return { texts: [args.slice(long + 1, long + 2).join("")], args: args.slice(long + 2) };
  const options = optionsOf(args, { letters: language.letters ?? "", names, stopsAtOperand: true });
  const texts = language.code.flatMap((option) => options.values.get(option) ?? []);
  if (texts.length > 0) return { texts, args: options.operands };
  const [first, ...rest] = options.operands;
  if (language.verb !== undefined && first === language.verb) {
    const inner = optionsOf(rest, { stopsAtOperand: true });
    return { texts: inner.operands.slice(0, 1), args: inner.operands.slice(1) };
  }
  if (language.isFirst === true) return { texts: first === undefined ? [] : [first], args: rest };
  if (first === undefined || first === "-")
    return { texts: state.stdin === undefined ? [] : [state.stdin], args: rest };
  const file = given(options, "-f") ?? first;
  return { texts: [fileText(machine, state, file)], args: rest };
}

/** Calls by which the scripting languages start a program or a shell. */
const STARTS =
  /\b(system|popen|spawn\w*|exec\w*|subprocess|check_output|check_call|shell_exec|passthru|proc_open|getstatusoutput|child_process|Deno\.Command|Deno\.run|Bun\.\$|Open3|do shell script|getline|os\.execute|iex|Invoke-Expression|run)\b|%x|\bqx\b|\|\s*["']|\$`/;

/** Functions that make text out of something that can't be read, and calls that run text. */
const DECODER = String.raw`(?:un)?pack|unhexlify|fromhex|b64decode|b32decode|decode64|base64_decode|atob|hex2bin|fromCharCode|rot13|str_rot13`;
const RUNNER = String.raw`system|popen|exec\w*|spawn\w*|run|call|check_output|check_call|shell_exec|passthru|execute|eval`;
const DECODED_IN_CALL = new RegExp(
  String.raw`\b(?:${RUNNER})\s{0,9}\(?[^;\n]{0,200}?\b(?:${DECODER}|chr|Buffer\.from)\s?\(`,
);
const DECODES = new RegExp(String.raw`\b(?:${DECODER})\b`);
const RUNS_A_NAME = new RegExp(String.raw`\b(?:${RUNNER})\s{0,9}\(\s{0,9}[A-Za-z_$]`);

/** It runs what it decodes: in one call, or by a name that was given to the text before. */
function runsDecoded(text: string): boolean {
  const decoded = text.search(DECODES);
  return DECODED_IN_CALL.test(text) || (decoded >= 0 && RUNS_A_NAME.test(text.slice(decoded)));
}

function startedByCode(machine: Machine, language: string, text: string, state: State): State[] {
  const isBacktickShell = /^(perl|ruby|php)/.test(language) && text.includes("`");
  if (!isKnown(text.replaceAll(ANY, "")) || !(isBacktickShell || STARTS.test(text))) return [state];
  const literals = literalsOf(text);
  let after: State[] = [state];
  const run = (line: string) => {
    after = after.flatMap((now) => machine.maybeText(line, now).map((one) => afterSubshell(now, one)));
  };
  for (const list of literalLists(text, literals)) {
    after = after.flatMap((now) => machine.call(list, now, "plain").map((one) => afterSubshell(now, one)));
  }
  for (const literal of literals) run(filledIn(text, literal).replaceAll("\\n", "\n"));
  for (const [, line = ""] of text.matchAll(/(?:%x|\bqx)\s*[({[/|]([^)}\]/|]*)/g)) run(line);
  if (!/awk$/.test(language) && runsDecoded(text)) machine.tell(machine.watch.hidden?.());
  return after;
}
