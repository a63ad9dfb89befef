import { closeSync, fstatSync, openSync } from "node:fs";
import { writeAll } from "./write-all.ts";

export { writeAll };

/**
 * The person's side. Writes go straight to the file descriptors: `process.stdout` costs ten milliseconds to touch, and hosts
 * start this program on every event.
 */
export type Terminal = {
  /** Somebody can be asked: there is a controlling terminal and nobody asked for JSON. */
  readonly interactive: boolean;
  readonly color: boolean;
  result(text: string): void;
  note(text: string): void;
};

export function openTerminal(asked: { json: boolean; quiet: boolean; noColor: boolean }): Terminal {
  const interactive = !asked.json && isTerminal(0) && isTerminal(2) && hasControllingTerminal();
  return {
    interactive,
    color: !asked.noColor && isTerminal(1),
    result: (text) => writeAll(1, `${text}\n`),
    note: (text) => {
      if (!asked.quiet) writeAll(2, `${text}\n`);
    },
  };
}

/**
 * Takes out what could move a terminal's cursor, hide text or turn it round: control signs (newline and tab stay), escapes,
 * bidirectional overrides and invisible signs are written as `<U+202E>`.
 */
export function plainText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
    (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** The same on one line: a line break in a name must not begin what looks like a line of ours. */
export function oneLine(text: string): string {
  return plainText(text).replaceAll("\n", "<U+000A>");
}

function isTerminal(fd: number): boolean {
  try {
    // /dev/null is a character device, too; `node:tty` is loaded only where it could be a terminal.
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}
