import type {
  AndOr,
  Assignment,
  Case,
  Command,
  CompoundCommand,
  CompoundList,
  For,
  If,
  ParsedScript,
  Pipeline,
  Redirected,
  Select,
  Statement,
  SyntaxNode,
  While,
  Word,
} from "unbash";
import { forEachChild } from "unbash";
import { assign, assignmentField } from "./assignment.ts";
import type { Machine } from "./machine.ts";
import { redirected } from "./redirect.ts";
import { afterSubshell, type State, withEntry, withVariable } from "./state.ts";
import { ANY } from "./unknown.ts";
import { arithmetic, fieldsOf, textOf } from "./words.ts";
import { joinStates } from "./worlds.ts";

const MAX_LOOP_ITEMS = 64;
const MAX_LOOP_ROUNDS = 16;
const DECLARES = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Runs a script. Where bash would go one of two ways, both are gone: hence several states. */
export function walkScript(machine: Machine, script: ParsedScript, state: State): State[] {
  return statements(machine, script.commands, [state]);
}

type Walked = Statement["command"] | CompoundList;

function statements(machine: Machine, list: readonly Statement[], states: State[]): State[] {
  let now = states;
  for (const statement of list) now = joinStates(now.flatMap((state) => statementOf(machine, statement, state)));
  return now;
}

function statementOf(machine: Machine, { command, background }: Statement, state: State): State[] {
  if (background !== true) return walk(machine, command, state);
  return walk(machine, command, { ...state, isForked: true }).map((after) => afterSubshell(state, after));
}

export function walk(machine: Machine, node: Walked | CompoundCommand | Redirected, state: State): State[] {
  machine.step();
  switch (node.type) {
    case "Command":
      return command(machine, node, state);
    case "Pipeline":
      return pipeline(machine, node, state);
    case "AndOr":
      return andOr(machine, node, state);
    case "CompoundList":
      return statements(machine, node.commands, [state]);
    case "BraceGroup":
      return statements(machine, node.body.commands, [state]);
    case "Subshell":
      return subshell(state, statements(machine, node.body.commands, [state]));
    case "Redirected":
      return redirected(machine, node.redirects, state, (inner) => walk(machine, node.command, inner));
    case "If":
      return ifs(machine, node, state);
    case "For":
    case "Select":
      return loopOver(machine, node, state);
    case "While":
      return whiles(machine, node, state);
    case "Case":
      return cases(machine, node, state);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) arithmetic(machine, part, state);
      return twice(state, (now) => walk(machine, node.body, now));
    case "ArithmeticCommand":
      arithmetic(machine, node.expression, state);
      return [state];
    case "TestCommand":
      readWords(machine, node, state);
      return [state];
    case "Function":
      return [{ ...state, functions: withEntry(state.functions, node.name.value, node.body) }];
    case "Coproc":
      return subshell(state, walk(machine, node.body, { ...state, isForked: true }));
  }
}

function subshell(before: State, after: State[]): State[] {
  return after.map((one) => afterSubshell(before, one));
}

function twice(state: State, body: (state: State) => State[]): State[] {
  const once = body(state);
  return joinStates([state, ...once, ...once.flatMap(body)]);
}

function command(machine: Machine, node: Command, state: State): State[] {
  const words = node.name === undefined ? [] : [node.name];
  const name = fieldsOf(machine, words, state);
  const isDeclaring = DECLARES.has(name.fields[0] ?? "");
  const fields = [...name.fields];
  let now = name.state;
  const declared: Assignment[] = [];
  for (const arg of node.args) {
    if (arg.type === "Assignment" && isDeclaring) {
      declared.push(arg);
      continue;
    }
    const read = arg.type === "Word" ? fieldsOf(machine, [arg], now) : assignmentField(machine, arg, now);
    fields.push(...read.fields);
    now = read.state;
  }
  const assigned = node.prefix.filter((part): part is Assignment => part.type === "Assignment");
  return redirected(machine, node.redirects, now, (inner) => {
    const set = [...assigned, ...declared].reduce((before, one) => assign(machine, one, before), inner);
    if (fields.length === 0) return [set];
    const after = machine.call(fields, set);
    // `A=1 program`: the variable is the program's alone.
    if (assigned.length === 0) return after;
    return after.map((one) => (one.variables === set.variables ? { ...one, variables: inner.variables } : one));
  });
}

function pipeline(machine: Machine, node: Pipeline, state: State): State[] {
  if (node.commands.length === 1) return node.commands.flatMap((only) => walk(machine, only, state));
  let now = { ...state, isForked: true };
  for (const [index, stage] of node.commands.entries()) {
    const isLast = index === node.commands.length - 1;
    const inner = isLast
      ? { ...now, isCapturing: state.isCapturing, out: state.out }
      : { ...now, isCapturing: true, out: "" };
    const after = joinStates(walk(machine, stage, inner));
    if (isLast) return after.map((one) => ({ ...afterSubshell(state, one) }));
    const outs = new Set(after.map((one) => one.out));
    const [first] = after;
    if (first !== undefined) now = { ...now, files: first.files, links: first.links, programs: first.programs };
    now = { ...now, stdin: outs.size === 1 ? [...outs][0] : ANY };
  }
  return [state];
}

/** Programs that can't sensibly fail: what follows `||` is no other world after them. */
const NEVER_FAIL = new Set([
  ":",
  "true",
  "echo",
  "printf",
  "cd",
  "pushd",
  "pwd",
  "export",
  "set",
  "shopt",
  "trap",
  "local",
]);

function andOr(machine: Machine, { commands, operators }: AndOr, state: State): State[] {
  let succeeded: State[] = [state];
  let failed: State[] = [];
  for (const [index, part] of commands.entries()) {
    const operator = operators[index - 1];
    const from = operator === "||" ? (failed.length > 0 ? failed : succeeded) : succeeded;
    const after = joinStates(from.flatMap((one) => walk(machine, part, one)));
    const canFail = !(part.type === "Command" && (part.name === undefined || NEVER_FAIL.has(part.name.value)));
    const alsoFailed = canFail ? after : [];
    if (operator === undefined) [succeeded, failed] = [after, alsoFailed];
    else if (operator === "&&") [succeeded, failed] = [after, [...failed, ...alsoFailed]];
    else [succeeded, failed] = [[...succeeded, ...after], alsoFailed];
  }
  return joinStates([...succeeded, ...failed]);
}

function ifs(machine: Machine, node: If, state: State): State[] {
  const ends: State[] = [];
  let open = walk(machine, node.clause, state);
  ends.push(...open.flatMap((one) => walk(machine, node.then, one)));
  for (const elif of node.elif) {
    open = joinStates(open.flatMap((one) => walk(machine, elif.clause, one)));
    ends.push(...open.flatMap((one) => walk(machine, elif.then, one)));
  }
  const last = node.else;
  ends.push(...(last === undefined ? open : open.flatMap((one) => walk(machine, last, one))));
  return joinStates(ends);
}

function loopOver(machine: Machine, node: For | Select, state: State): State[] {
  const read =
    node.wordlist === undefined ? { fields: [...state.args], state } : fieldsOf(machine, node.wordlist, state);
  const items = read.fields.slice(0, MAX_LOOP_ITEMS);
  if (read.fields.length > items.length) items.push(ANY);
  let now = [read.state];
  for (const item of items) {
    now = joinStates(now.flatMap((one) => walk(machine, node.body, withVariable(one, node.name.value, item))));
  }
  return now;
}

function whiles(machine: Machine, node: While, state: State): State[] {
  const ends: State[] = [];
  let now = [state];
  for (let round = 0; round < MAX_LOOP_ROUNDS && now.length > 0; round++) {
    const asked = joinStates(now.flatMap((one) => walk(machine, node.clause, one)));
    const after = joinStates(asked.flatMap((one) => walk(machine, node.body, one)));
    ends.push(...asked, ...after);
    // A loop that reads ends with what it reads; one that changes nothing goes on as before.
    const seen = now;
    now = after.filter((one) => one.stdin !== "" && !seen.includes(one));
  }
  return joinStates(ends);
}

function cases(machine: Machine, node: Case, state: State): State[] {
  const { state: now } = textOf(machine, node.word, state);
  for (const item of node.items) for (const word of item.pattern) textOf(machine, word, now);
  return joinStates([now, ...node.items.flatMap((item) => walk(machine, item.body, now))]);
}

/** Runs the substitutions in the words of a test. */
function readWords(machine: Machine, node: SyntaxNode, state: State): void {
  forEachChild(node, (child) => {
    if (child.type === "Word") textOf(machine, child as Word, state);
    else readWords(machine, child, state);
  });
}
