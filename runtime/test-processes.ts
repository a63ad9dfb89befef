import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** For tests: processes of this machine whose words hold this one. */
export function running(word: string): string[] {
  return readdirSync("/proc")
    .map((name) => wordsOf(`${name}/cmdline`))
    .filter((line) => line.includes(word));
}

function wordsOf(path: string): string {
  try {
    return readFileSync(join("/proc", path), "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended meanwhile
  }
}
