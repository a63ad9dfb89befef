import { homeOf, type Scene } from "./scene.ts";
import type { State, Value } from "./state.ts";
import { ANY, STAR } from "./unknown.ts";

/** Variables whose value every shell has, as far as a path can depend on it. `undefined`: not known to be set. */
export function variable(scene: Scene, state: State, name: string): Value | undefined {
  const set = state.variables.get(name);
  if (set !== undefined) return set;
  if (name === "HOME") return home(scene, state);
  if (name === "PWD") return state.cwd;
  if (name === "OLDPWD") return state.oldCwd;
  if (name === "IFS") return " \t\n";
  if (name === "USER" || name === "LOGNAME") return home(scene, state).split("/").pop() ?? STAR;
  if (NAMES.has(name)) return STAR;
  return undefined;
}

const NAMES = new Set(["RANDOM", "SECONDS", "UID", "EUID", "PPID", "BASHPID", "HOSTNAME", "OSTYPE", "LINENO", "SHLVL"]);

/** `$1`, `$@`, `$#` and the like; undefined for what is no special parameter. */
export function special(state: State, name: string): Value | undefined {
  if (name === "@" || name === "*") return state.args;
  if (name === "#") return `${state.args.length}`;
  if (name === "0") return state.zero;
  if (/^[1-9]\d{0,3}$/.test(name)) return state.args[Number(name) - 1] ?? "";
  return /^[?$!_-]$/.test(name) ? STAR : undefined;
}

export function home(scene: Scene, state: State): string {
  if (state.mounts !== undefined) return "/tmp/.container/root";
  return scene.home;
}

/** What a leading `~…` stands for. */
export function tilde(scene: Scene, state: State, prefix: string): string {
  const set = state.variables.get("HOME");
  if (prefix === "~") return typeof set === "string" ? set : home(scene, state);
  if (prefix === "~+") return state.cwd;
  if (prefix === "~-") return state.oldCwd ?? ANY;
  if (prefix === "~root") return "/root";
  return `${homeOf(scene.home) === "/root" ? "/home" : scene.home.slice(0, scene.home.lastIndexOf("/"))}/${prefix.slice(1)}`;
}
