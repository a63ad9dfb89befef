import { join } from "node:path";
import manifest from "../../cli/package.json" with { type: "json" };
import { askDaemon, ownProgram } from "../../runtime/index.ts";
import { curveRow, type Row, sideBySide } from "../measure.ts";
import { eventIn, HOOKPKG, project, type Stage } from "../stage.ts";

const SESSIONS = [1, 2, 4, 8, 16];

/** A daemon of this home, asked over its socket by this process: all of an event but the start of the program. */
export async function socketRows(stage: Stage): Promise<Row[]> {
  const root = await project(stage, "socket");
  const { build } = ownProgram(HOOKPKG.at(-1) ?? "", manifest.version);
  const daemon = Bun.spawn([...HOOKPKG, "daemon", "serve", "--home", join(stage.base, "home")], {
    ...{ stdio: ["ignore", "ignore", "inherit"], cwd: "/", env: { PATH: "/usr/local/bin:/usr/bin:/bin" } },
  });
  const ask = async (about: Parameters<typeof eventIn>[1]) => {
    const event = new TextEncoder().encode(JSON.stringify(eventIn(root, about)));
    const said = await askDaemon(stage.home, build, { host: "native", event, project: undefined, env: {} });
    if (typeof said === "string" || said.exit !== 0) throw new Error(JSON.stringify(said));
  };
  await up(() => ask({}));
  const medians = await sideBySide(
    { "no match": () => ask({ tool: "Read" }), "one handler": () => ask({}) },
    { warmup: 30, rounds: 300 },
  );
  const ways = SESSIONS.map((sessions) => {
    const work = () => Promise.all(Array.from({ length: sessions }, (_, n) => ask({ session: `${root} ${n}` })));
    return [`${sessions}`, work] as const;
  });
  const together = await sideBySide(Object.fromEntries(ways), { warmup: 10, rounds: 60 });
  daemon.kill();
  await daemon.exited;
  const ms = medians["no match"] ?? 0;
  return [
    { what: "over the socket", medians, result: `${ms.toFixed(2)} ms`, aim: "< 2 ms", kept: ms < 2 },
    curveRow("concurrent sessions, one event each", SESSIONS, together),
  ];
}

async function up(ask: () => Promise<void>): Promise<void> {
  for (let tried = 0; ; tried++)
    try {
      return await ask();
    } catch (error) {
      if (tried > 100) throw error;
      await Bun.sleep(100);
    }
}
