import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { REASON } from "../attached.ts";
import { TEST_TIMEOUT_MS } from "../drive.ts";
import { put } from "../house.ts";
import { proveAttached } from "./attached.ts";

type Line = { handler?: string };

proveAttached({
  name: "copilot",
  host: "copilot-cli",
  file: ".copilot/hooks/hookpkg.json",
  ends: false,
  more: (attached) => {
    test(
      "is answered once where it runs a project's entries for Claude Code, too, and by those when they are alone",
      async () => {
        const { hookpkg, drive, project } = attached();
        const asked = async () => {
          const lines: Line[] = JSON.parse((await hookpkg("log", "--json")).stdout).data.lines;
          return lines.filter(({ handler }) => handler?.includes("no-forbidden")).length;
        };
        const printed = JSON.parse((await hookpkg("attach", "claude-code", "--print", "--json")).stdout);
        put(join(project, ".claude/settings.json"), JSON.stringify(printed.data.hosts[0].settings));
        for (const words of [["attach"], ["detach"]]) {
          expect((await hookpkg(...words, "copilot-cli")).exit).toBe(0);
          const before = await asked();
          const ran = await drive("copilot", [{ shell: "touch forbidden" }]);
          expect([ran.executed, ran.said[0]]).toEqual([[], expect.stringContaining(REASON)]);
          expect(await asked()).toBe(before + 1);
        }
        rmSync(join(project, ".claude"), { recursive: true });
        expect((await hookpkg("attach", "copilot-cli")).exit).toBe(0);
      },
      2 * TEST_TIMEOUT_MS,
    );
  },
});
