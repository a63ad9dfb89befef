import { type ParsedScript, parse } from "unbash";
import { call } from "./call.ts";
import type { Machine, Watch } from "./machine.ts";
import { absolute, type Scene } from "./scene.ts";
import { type State, startState } from "./state.ts";
import { ANY, withoutSigns } from "./unknown.ts";
import { walkScript } from "./walk.ts";
import { joinStates } from "./worlds.ts";

/** A command that needs more steps is not followed to its end, and cancelled. */
const MAX_STEPS = 20_000;
const MAX_COMMAND_CHARS = 256 * 1024;
const MAX_DEPTH = 24;
const MAX_REASON_CHARS = 400;

/**
 * Follows a Bash command as bash would run it, without running it, and tells the guard's `watch` of every program, every
 * file opened and every piece of other code. Gives the first reason to cancel, or undefined when there is none. A command that
 * can't be read or followed to its end is a reason.
 */
export function readCommand(command: string, scene: Scene, watch: Watch): string | undefined {
  if (command.length > MAX_COMMAND_CHARS) return "the command is too long to be read";
  try {
    const machine = machineFor(scene, watch);
    const ends = machine.text(withoutSigns(command), startState(scene.cwd));
    for (const end of ends) for (const trap of end.traps) machine.text(trap, { ...end, traps: [] });
    return undefined;
  } catch (error) {
    if (error instanceof Found) return oneLine(error.message);
    if (error instanceof RangeError) return "the command is nested too deeply to be read";
    throw error;
  }
}

/** Names in a reason come from the command: they must not forge lines, nor grow without end. */
export function oneLine(reason: string): string {
  const line = reason.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}…` : line;
}

/** Ends the reading: there is a reason to cancel. */
class Found extends Error {}

/** A text that can't be parsed where it need not be shell at all, as in another language's string. */
class Unparsed extends Found {}

function machineFor(scene: Scene, watch: Watch): Machine {
  let steps = 0;
  const machine: Machine = {
    scene,
    watch,
    step() {
      if (++steps > MAX_STEPS) throw new Found("the command is too long to be followed to its end");
    },
    tell(reason) {
      if (reason !== undefined) throw new Found(reason);
    },
    parse(text) {
      const script: ParsedScript = parse(text);
      const [error] = script.errors ?? [];
      if (error !== undefined) throw new Unparsed(`the command can't be read: ${error.message}`);
      return script;
    },
    script(script, state) {
      const [error] = script.errors ?? [];
      if (error !== undefined) throw new Unparsed(`the command can't be read: ${error.message}`);
      return walkScript(machine, script, state);
    },
    text(text, state) {
      if (state.depth >= MAX_DEPTH) throw new Found("scripts within scripts are nested too deeply to be read");
      const after = machine.script(machine.parse(text), { ...state, depth: state.depth + 1 });
      return after.map((one) => ({ ...one, depth: state.depth }));
    },
    maybeText(text, state) {
      try {
        return machine.text(text, state);
      } catch (error) {
        if (error instanceof Unparsed) return [state];
        throw error;
      }
    },
    call(words, state, how) {
      machine.step();
      return call(machine, words, state, how);
    },
    capture(script, state) {
      const inner = { ...state, isCapturing: true, out: "", isForked: true };
      const outs = new Set(joinStates(machine.script(script, inner)).map((after) => after.out));
      return outs.size === 1 ? ([...outs][0] ?? "") : ANY;
    },
    at: (state: State) => (path, follow) => absolute(scene, state, path, follow),
  };
  return machine;
}
