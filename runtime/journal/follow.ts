import { closeSync } from "node:fs";
import type { Home } from "../home.ts";
import { journalFolder } from "./journal.ts";
import { type JournalEntry, LineReader, type OpenFile, openFiles } from "./reading.ts";

const LOOK_EVERY_MS = 200;

/**
 * Every line that is kept, and then each new one as it is written, until `signal` says stop. A file that is put aside is read to its end
 * before the next one. `onCaughtUp` is called once, when what was there has been given.
 */
export async function* followJournal(
  home: Home,
  project: string,
  { signal, onCaughtUp }: { signal: AbortSignal; onCaughtUp?: () => void },
): AsyncGenerator<JournalEntry> {
  const folder = journalFolder(home, project);
  let current: { file: OpenFile; reader: LineReader } | undefined;
  let isCaughtUp = false;
  try {
    while (!signal.aborted) {
      const newer = openFiles(folder, current?.file.inode);
      for (const file of newer) {
        if (current) {
          yield* current.reader.rest();
          closeSync(current.file.fd);
        }
        current = { file, reader: new LineReader(file.fd) };
      }
      if (current) yield* current.reader.complete();
      if (!isCaughtUp) onCaughtUp?.();
      isCaughtUp = true;
      if (newer.length === 0) await pause(signal);
    }
  } finally {
    if (current) closeSync(current.file.fd);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_EVERY_MS);
    signal.addEventListener("abort", end);
  });
}
