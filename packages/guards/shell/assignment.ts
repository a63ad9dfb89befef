import type { Assignment } from "unbash";
import type { Machine } from "./machine.ts";
import { type State, withVariable } from "./state.ts";
import { ONE } from "./unknown.ts";
import { fieldsOf, textOf } from "./words.ts";

/** `name=value` as a word: what `dd` and `env` are given. */
export function assignmentField(machine: Machine, { name, value, append }: Assignment, state: State) {
  if (value.type === "ArrayValue") return { fields: [name], state };
  const read = textOf(machine, value, state);
  return { fields: [`${name}${append === true ? "+=" : "="}${read.text}`], state: read.state };
}

/** Sets a variable, an item of an array or a whole array. */
export function assign(machine: Machine, { name, value, append, index }: Assignment, state: State): State {
  const before = append === true ? state.variables.get(name) : undefined;
  if (value.type === "ArrayValue") {
    const read = fieldsOf(machine, value.elements, state);
    const key = new RegExp(`^(\\[[^\\]]*\\]|${ONE})=`);
    const items = read.fields.map((field) => field.replace(key, ""));
    const old = before === undefined ? [] : typeof before === "string" ? [before] : before;
    return withVariable(read.state, name, [...old, ...items]);
  }
  const read = textOf(machine, value, state);
  if (index === undefined) {
    const old = typeof before === "string" ? before : "";
    return withVariable(read.state, name, old + read.text);
  }
  const array = read.state.variables.get(name) ?? [];
  const items = typeof array === "string" ? [array] : [...array];
  const at = Number.parseInt(textOf(machine, index, read.state).text, 10);
  if (at >= 0 && at <= items.length) items[at] = read.text;
  else items.push(read.text);
  return withVariable(read.state, name, items);
}
