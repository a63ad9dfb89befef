import type { JournalLine } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { journal } from "./journal.ts";

/** For tests of several writers and of kills: writes numbered lines, two in one event, until it is killed or `count` are written. */
const [, , base = "", name = "", count = "Infinity"] = process.argv;
const home = homeFolders(base);
console.log("begin");
for (let n = 0; n < Number(count); n++) {
  const line: JournalLine = {
    ...{ v: 1, at: "2030-01-01T00:00:00Z", session: name, turn: `${n}`, host: "codex", event: "PreToolUse" },
    ...{ handler: "@a/b#c", identity: "hk1:x", state: "trusted", matched: true, outcome: "answered", ms: 1 },
    ...{ why: "y".repeat(300), told: "continue" },
  };
  await journal(home, "p", [line, { ...line, handler: "@a/b#d" }], { limits: { maxBytes: 100_000, maxFiles: 5 } });
}
