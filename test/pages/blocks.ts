import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A code block of a page whose first line names a file: ` ```ts guard.ts `. */
export type Block = { path: string; text: string };

export function blocksOf(page: string): Block[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms);
  return [...blocks].map(([, path = "", text = ""]) => ({ path, text }));
}

/** Writes them into a folder, as a reader would. */
export function writeBlocks(page: string, folder: string): void {
  for (const { path, text } of blocksOf(page)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
