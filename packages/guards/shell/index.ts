export { foundPaths, type Search, searchOf } from "./find.ts";
export { type GitCommand, gitCommand } from "./git.ts";
export { type Literal, literalsOf } from "./literals.ts";
export type { Call, Code, Watch, WriteMode } from "./machine.ts";
export { given, has, type OptionSpec, type Options, optionsOf } from "./options.ts";
export { readCommand } from "./read.ts";
export { homeOf, isBelow, type Scene } from "./scene.ts";
export type { State } from "./state.ts";
export { ANY, BELOW, isKnown, matches, ONE, SCRAMBLED, STAR, shown } from "./unknown.ts";
