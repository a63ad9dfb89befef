import { appendFileSync, existsSync } from "node:fs";
import { homeFolders } from "../home.ts";
import { serveDaemon } from "./server.ts";

// For tests: a daemon of its own process, `bun test-daemon.ts HOME BUILD`, whose events say what it does. It notes each in HOME/events.

type Told = { say?: string; times?: number; until?: string; ask?: string[]; fail?: true };

const [base = "", build = ""] = process.argv.slice(2);
await serveDaemon({
  home: homeFolders(base),
  build,
  facts: () => ({ workers: 0 }),
  answer: async ({ event, more, env }) => {
    const told = JSON.parse(new TextDecoder().decode(event)) as Told; // the test wrote it
    appendFileSync(`${base}/events`, `${told.say ?? ""}\n`);
    while (told.until !== undefined && !existsSync(told.until)) await Bun.sleep(5);
    if (told.fail) throw new Error("no");
    const asked = told.ask === undefined ? {} : { ...env, ...(await more(told.ask)) };
    const stdout = (told.say ?? "").repeat(told.times ?? 1) + (told.ask === undefined ? "" : JSON.stringify(asked));
    return { exit: 0, stdout, stderr: "" };
  },
});
