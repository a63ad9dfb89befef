import { expect, test } from "bun:test";
import { shell, trial } from "./test-run.ts";

test.each([["sh ${PLUGIN_ROOT}/gone.sh"], ['bash "${PLUGIN_ROOT}/lib/gone.sh" x'], ["${PLUGIN_ROOT}/gone.sh"]])(
  "%s: a script that the package lacks is failed before anything runs, and no veto",
  async (script) => {
    const outcome = await shell(script, { files: { "lib/there.sh": "exit 2" } });
    expect(outcome).toMatchObject({ outcome: "failed", why: "E_RUN_MISSING_SCRIPT" });
  },
);

test("the same for words without a shell; what is there runs, and so does what only asks for a file", async () => {
  const gone = await trial({ type: "command", argv: ["sh", "${PLUGIN_ROOT}/gone.sh"] });
  expect(gone).toMatchObject({ outcome: "failed", why: "E_RUN_MISSING_SCRIPT" });
  const there = await shell("sh ${PLUGIN_ROOT}/there.sh", { files: { "there.sh": "echo no >&2; exit 2" } });
  expect(there).toMatchObject({ outcome: "answered", answer: { answer: "cancel", reason: "no" } });
  expect(await shell("test -f ${PLUGIN_ROOT}/gone.sh || echo {}")).toMatchObject({ outcome: "answered" });
});
