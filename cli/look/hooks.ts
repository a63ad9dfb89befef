import { duplicatesIn, foreignHooks, HOOK_RULES, hookProblems, hostNamed, isOwnText } from "@hookpkg/hosts";
import { homeFolders } from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { hostHome } from "../host/attach.ts";
import { askCodex } from "../host/codex-trust.ts";
import { programOn } from "../host/host-place.ts";
import { counted, pageLines } from "../trust/page.ts";
import { type FoundFile, hookFiles, type Looking } from "./hook-files.ts";
import { lookAtProgram } from "./hook-program.ts";
import { modsOf } from "./mods.ts";

type Data = CommandData["hooks"];
type Hook = Data["hooks"][number];

/**
 * Every hook that the hosts here would run, from all of their files, with what is wrong with it by its host's own rules. It needs no
 * set-up and changes nothing. Exit 1 when a hook has a problem or a file cannot be read.
 */
export async function run(call: Call): Promise<Done<Data>> {
  const base = hostHome(call, homeFolders(call.home));
  const root = call.project ?? call.cwd;
  const world = { base, root, path: call.env.PATH ?? "" };
  const found = await hookFiles(world);
  const read = found.map((file) => ({ file, ...readFile(file, world) }));
  const hooks = await withTrust(call, base, withDuplicates(read.flatMap((one) => one.hooks)));
  const files = read.map(({ file, hooks: own, problem }) => ({
    ...{ host: file.host.host, scope: file.scope, file: file.file, hooks: own.length },
    ...(problem === undefined ? {} : { problem }),
  }));
  const mods = modsOf(base, root);
  const isBad = hooks.some(({ problems }) => problems.length > 0) || files.some(({ problem }) => problem !== undefined);
  return {
    data: { files, hooks, mods },
    lines: lines({ files, hooks, mods }),
    ...(isBad ? { exit: EXIT.failed } : {}),
  };
}

function readFile({ host, scope, file, form, folder, bare, settings, problem }: FoundFile, world: Looking) {
  if (settings === undefined) return { hooks: [], problem };
  const adapter = hostNamed(host.host);
  const rules = HOOK_RULES.find((one) => one.host === host.host);
  const { hooks, problems } = foreignHooks(settings);
  const fault = host.fault?.(bare ? { ...host.head, ...settings } : settings, form);
  const off = fault === undefined || hooks.length === 0 ? [] : [{ kind: "off", text: fault }];
  const said = problems.map(({ text }) => text);
  return {
    hooks: hooks.map((hook): Hook => {
      const { event, matcher, type, command } = hook;
      const own = command !== null && isOwnText(command, host.host);
      const program = command === null || own ? { script: "" } : lookAtProgram(command, stageOf(world, folder));
      const text = own ? "" : `${command ?? ""}\n${program.script}`;
      const judged = adapter === undefined ? [] : hookProblems(hook, { adapter, text, ...(rules ? { rules } : {}) });
      const missing =
        "missing" in program && program.missing !== undefined
          ? [{ kind: "program", text: `${program.missing} is not there: the hook fails, and the call goes on` }]
          : [];
      return {
        ...{ host: host.host, scope, file, event, matcher, type, command, own },
        problems: [...off, ...judged, ...missing],
      };
    }),
    problem: said.length === 0 ? undefined : said.join("; "),
  };
}

function stageOf({ base, root, path }: Looking, folder: string | undefined) {
  return { base, root, path, ...(folder === undefined ? {} : { folder }) };
}

function withDuplicates(hooks: readonly Hook[]): Hook[] {
  const twice = duplicatesIn(hooks);
  const text = "the same hook stands before it: both run";
  return hooks.map((hook) =>
    twice.has(hook) ? { ...hook, problems: [...hook.problems, { kind: "duplicate", text }] } : hook,
  );
}

/** Codex runs only what the person trusted in it; it is asked when it is here. */
async function withTrust(call: Call, base: string, hooks: readonly Hook[]): Promise<readonly Hook[]> {
  const commands = hooks.flatMap(({ host, command }) => (host === "codex" && command !== null ? [command] : []));
  const program = programOn("codex", call.env.PATH);
  if (commands.length === 0 || program === undefined) return hooks;
  const asked = await askCodex({ program, home: base, cwd: call.cwd, path: call.env.PATH ?? "", commands });
  if (asked === undefined) return hooks;
  return hooks.map((hook) => {
    const told = asked.filter(({ command, event }) => command === hook.command && isSameEvent(event, hook.event));
    const isTrusted = told.some(({ trust, enabled }) => enabled && (trust === "trusted" || trust === "managed"));
    if (hook.host !== "codex" || hook.command === null || isTrusted) return hook;
    const how = told[0] === undefined ? "Codex does not list it" : `Codex says ${told[0].trust}`;
    const text = `${how}: it does not run until you trust it in Codex's /hooks`;
    return { ...hook, problems: [...hook.problems, { kind: "untrusted", text }] };
  });
}

/** Codex writes its events in camelCase there. */
function isSameEvent(one: string, other: string): boolean {
  const plain = (name: string) => name.replace(/_/g, "").toLowerCase();
  return plain(one) === plain(other);
}

function lines({ files, hooks, mods }: Data): string[] {
  if (files.length + mods.length === 0) return ["no host here has a hook"];
  return [
    ...files.flatMap(({ host, scope, file, hooks: count, problem }) => [
      ...pageLines(`${host} (${scope}): ${counted(count, "hook")} in ${file}`),
      ...(problem === undefined ? [] : pageLines(`! ${problem}`, "  ")),
      ...hooks.filter((hook) => hook.file === file && hook.host === host).flatMap(hookLines),
    ]),
    ...mods.flatMap(({ name, file, gates }) =>
      pageLines(`claude-code mod ${name}: ${file}${gates ? ": stands between hookpkg and the tool" : ""}`),
    ),
  ];
}

const MAX_COMMAND_CHARS = 100;

function hookLines({ event, matcher, type, command, own, problems }: Hook): string[] {
  const what = own ? "hookpkg" : (command ?? type);
  const short = what.length > MAX_COMMAND_CHARS ? `${what.slice(0, MAX_COMMAND_CHARS)}…` : what;
  return [
    ...pageLines(`${event}${matcher === null || matcher === "" ? "" : ` [${matcher}]`}: ${short}`, "  "),
    ...problems.flatMap(({ kind, text }) => pageLines(`! ${kind}: ${text}`, "    ")),
  ];
}
