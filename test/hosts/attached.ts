import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Drive, type Driven, driveHost } from "./drive.ts";
import type { HostName } from "./hosts/host.ts";
import { approveGuard, type Ended, type Hookpkg, must, type PackageText, packageAt, started } from "./house.ts";
import type { Script } from "./mock-model.ts";
import type { Stage } from "./stage.ts";

/** A project with a closed guard that was approved, one that was not, and the real program that attaches hosts to it. */
export type AttachedStage = Stage & {
  /** The compiled program of this stage's own, which a test may take away. */
  program: string;
  hookpkg: Hookpkg;
  /** One event of the host by hand, from a process of its own: whoever starts `run` counts as a host from then on. */
  told: (event: object) => Promise<Ended>;
  /** Drives the host with these steps, one a turn, in what the home has on record and nothing else. */
  drive: (
    host: HostName,
    steps: readonly Step[],
    prompt?: string,
    more?: Partial<Drive>,
  ) => Promise<Driven & { said: string[] }>;
};

/** What the model asks for, and what happens to the machine before it does. */
export type Step = { shell: string; first?: () => void };

export const REASON = "no forbidden files in this house";
export const CONTEXT = "the moon is full tonight";
export const HIDDEN = "that is not for you to read";
export const MORE = "look at it once more";

const GUARD = `import { cancel, defineHook, next, patch } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) => {
  const command = String(tool_input?.command);
  if (command.includes("crash")) process.exit(1);
  if (command.includes("forbidden")) return cancel(${JSON.stringify(REASON)});
  return command === "touch before" ? patch({ tool_input: { command: "touch after" } }) : next();
});
`;
const MOON = `import { context, defineHook } from "@hookpkg/sdk";
export default defineHook(() => context(${JSON.stringify(CONTEXT)}));
`;
const HIDE = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) =>
  String(tool_input?.command).includes("secret") ? cancel(${JSON.stringify(HIDDEN)}) : next());
`;
const ONCE_MORE = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ stop_hook_active }) => (stop_hook_active ? next() : cancel(${JSON.stringify(MORE)})));
`;
const PROMPT = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ prompt }) => (prompt?.includes("unspeakable") ? cancel("not to be spoken of") : next()));
`;
const UNAPPROVED = `import { cancel, defineHook } from "@hookpkg/sdk";
export default defineHook(() => cancel("nobody approved this"));
`;

const closed = { type: "module", failMode: "closed", may: ["cancel", "patch"] };

const THE_GUARD: PackageText = {
  files: { "guard.ts": GUARD, "moon.ts": MOON, "hide.ts": HIDE, "more.ts": ONCE_MORE, "prompt.ts": PROMPT },
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ id: "no-forbidden", module: "./guard.ts", ...closed }] }],
    PostToolUse: [{ matcher: "Bash", hooks: [{ id: "hide", type: "module", module: "./hide.ts", may: ["cancel"] }] }],
    UserPromptSubmit: [
      {
        hooks: [
          { id: "moon", type: "module", module: "./moon.ts", may: ["context"] },
          { id: "prompt", type: "module", module: "./prompt.ts", may: ["cancel"] },
        ],
      },
    ],
    Stop: [{ hooks: [{ id: "more", type: "module", module: "./more.ts", may: ["cancel"] }] }],
  },
};
const THE_OTHER: PackageText = {
  files: { "guard.ts": UNAPPROVED },
  hooks: { PreToolUse: [{ hooks: [{ id: "all", module: "./guard.ts", ...closed }] }] },
};

/** Installs, approves what may run, and attaches; `built` is the compiled program. */
export async function attach(stage: Stage, host: string, built: string): Promise<AttachedStage> {
  const attached = await attachGuard(stage, host, built, THE_GUARD);
  packageAt(join(stage.project, "unapproved"), THE_OTHER);
  await must(attached.hookpkg("install", "./unapproved"), 3);
  return attached;
}

/** The same with a guard of the test's own, and nobody who waits. */
export async function attachGuard(
  stage: Stage,
  host: string,
  built: string,
  guard: PackageText,
): Promise<AttachedStage> {
  const { program, command, hookpkg } = linked(stage, built);
  const told = (event: object) =>
    started(["/usr/bin/timeout", "60", ...command, "run", host], stage.project, JSON.stringify(event));
  await approveGuard(stage, hookpkg, guard);
  await must(hookpkg("attach", host));
  return { ...stage, program, hookpkg, told, drive: (...asked) => drive(stage, ...asked) };
}

/** The program under a name of this stage's own, and calls of it. */
export function linked({ home, project }: Stage, built: string) {
  const program = join(dirname(home), "bin", "hookpkg");
  mkdirSync(dirname(program));
  linkSync(built, program);
  const command = [program, "--home", home];
  return { program, command, hookpkg: (...words: string[]) => started([...command, ...words], project) };
}

export async function drive(
  { project, home }: Stage,
  host: HostName,
  steps: readonly Step[],
  prompt = "do the task",
  more: Partial<Drive> = {},
): Promise<Driven & { said: string[] }> {
  const script: Script = ({ index }) => {
    const step = steps[index];
    step?.first?.();
    return step ? { shell: step.shell } : { text: "all done" };
  };
  const driven = await driveHost(host, { project, home, prompt, script, ...more });
  return { ...driven, said: driven.requests.at(-1)?.results ?? [] };
}

/** The program is gone, and comes back. */
export function away(program: string): { go: () => void; killed: () => void; back: () => void } {
  const kept = `${program}.kept`;
  return {
    go: () => renameSync(program, kept),
    killed: () => {
      writeFileSync(program, "#!/bin/sh\nkill -9 $$\n");
      chmodSync(program, 0o755);
    },
    back: () => renameSync(kept, program),
  };
}

/** What a pull request or the agent could do: the lock forgets the guard and its code is another. */
export function disarm(project: string): void {
  const lock: { packages: object } = JSON.parse(readFileSync(join(project, ".hookpkg/lock.json"), "utf8"));
  writeFileSync(join(project, ".hookpkg/lock.json"), JSON.stringify({ ...lock, packages: {} }));
  writeFileSync(join(project, "guard/guard.ts"), "export default () => undefined;\n");
}
