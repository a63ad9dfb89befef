import { isAbsolute } from "node:path";
import { type Placeholder, substitute } from "@hookpkg/spec";
import { PLUGIN_DATA, PLUGIN_ROOT } from "../sandbox/profile.ts";
import type { HandlerCall, RunnableHandler } from "./runnable.ts";
import { asOneWord } from "./shell-place.ts";

/** A command's environment, made from nothing: nothing of ours and nothing of the project's gets in. */
export function commandEnv(runnable: RunnableHandler, call: HandlerCall): Record<string, string> {
  return { ...grantedEnv(runnable, call), ...serviceEnv(call) };
}

/** A service's: what was granted comes with each call and does not live in it. */
export function serviceEnv(call: HandlerCall): Record<string, string> {
  const places = placesOf(call);
  return {
    ...{ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", TMPDIR: "/tmp", LANG: "C.UTF-8" },
    ...optionsEnv(call.options),
    ...gitEnv(places.PROJECT_DIR),
    ...Object.fromEntries(
      Object.entries(places).flatMap(([name, value]) => [
        [name, value],
        [`CLAUDE_${name}`, value],
      ]),
    ),
  };
}

/**
 * Root's handlers are another user, and git reads nothing of a folder that is not its user's unless it is told. What the folder's own
 * configuration would have it start is the project's, and no part of what was approved.
 */
function gitEnv(project: string): Record<string, string> {
  if (project === "") return {};
  const set = [
    ["safe.directory", project],
    ["core.fsmonitor", "false"],
    ["core.hooksPath", "/dev/null"],
  ] as const;
  return {
    GIT_CONFIG_COUNT: `${set.length}`,
    ...Object.fromEntries(
      set.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
}

/** Only names of the approved list, whatever the caller brings. */
export function grantedEnv({ capabilities }: RunnableHandler, call: HandlerCall): Record<string, string> {
  return Object.fromEntries(
    capabilities.env.flatMap((name) => {
      const value = call.env[name];
      return value === undefined || value.includes("\0") ? [] : [[name, value]];
    }),
  );
}

/** The words to run. Paths of ours are without special signs; the project's path is the shell's to expand when it has some. */
export function commandWords(
  run: { argv: readonly string[] } | { shell: string },
  runnable: RunnableHandler,
  call: HandlerCall,
): string[] {
  const places = placesOf(call);
  if ("shell" in run) {
    if (PLAIN.test(places.PROJECT_DIR)) return ["/bin/sh", "-c", substitute(run.shell, places, "shell")];
    return ["/bin/sh", "-c", substitute(asOneWord(run.shell), { ...places, PROJECT_DIR: `\${PROJECT_DIR}` }, "shell")];
  }
  const [program = "", ...rest] = run.argv.map((word) => substitute(word, places, "data"));
  return [programPath(program, runnable), ...rest];
}

const PLAIN = /^[A-Za-z0-9_./@%+,:-]*$/;

/** Where its folders are, as it sees them. */
export function placesOf(call: HandlerCall): Record<Placeholder, string> {
  return { PLUGIN_ROOT, PLUGIN_DATA, PROJECT_DIR: call.project ?? "" };
}

/** A relative program is the package's; a bare name that the package does not have is looked for on PATH. */
function programPath(program: string, { files }: RunnableHandler): string {
  const relative = program.replace(/^\.\//, "");
  const isOurs = !isAbsolute(program) && (program.includes("/") || files.some((file) => file.path === relative));
  return isOurs ? `${PLUGIN_ROOT}/${relative}` : program;
}

function optionsEnv(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const one = ([name, value]: [string, unknown]): [string, string] => [
    `CLAUDE_PLUGIN_OPTION_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ];
  return { PLUGIN_OPTIONS: JSON.stringify(options), ...Object.fromEntries(Object.entries(options).map(one)) };
}
