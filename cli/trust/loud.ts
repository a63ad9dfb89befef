import type { TrustView } from "@hookpkg/runtime";
import { commandText } from "../command-text.ts";
import { adviceLines, counted } from "./page.ts";

/** What must not be overlooked: all or some of what a person approved is switched off and guards nothing. */
export function loud({ safeMode, handlers }: TrustView): { text: string; command: string }[] {
  if (safeMode) {
    const text = `!! SAFE MODE since ${safeMode.at}: nothing that you approved guards this project`;
    return [{ text, command: commandText("hookpkg", "safe-mode", "--undo") }];
  }
  const off = handlers.filter(({ state }) => state === "disabled").map(({ name }) => name);
  if (off.length === 0) return [];
  const text = `!! ${counted(off.length, "handler")} OFF, guarding nothing`;
  return [{ text, command: commandText("hookpkg", "disable", "--undo", ...off) }];
}

/** The same in lines. */
export function loudLines(view: TrustView): string[] {
  return loud(view).flatMap(({ text, command }) => adviceLines(text, command));
}
