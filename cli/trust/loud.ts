import type { TrustView } from "@hookpkg/runtime";
import { counted, pageLines } from "./page.ts";

/** What must not be overlooked: all or some of what a person approved is switched off and guards nothing. */
export function loudLines({ safeMode, handlers }: TrustView): string[] {
  if (safeMode)
    return pageLines(
      `!! SAFE MODE since ${safeMode.at}: nothing that you approved guards this project: hookpkg safe-mode --undo`,
    );
  const off = handlers.filter(({ state }) => state === "disabled").map(({ name }) => name);
  if (off.length === 0) return [];
  return pageLines(
    `!! ${counted(off.length, "handler")} OFF, guarding nothing: hookpkg disable --undo ${off.join(" ")}`,
  );
}
