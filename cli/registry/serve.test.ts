import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { refusal, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

const MAIN = join(import.meta.dir, "..", "main.ts");

/** The server as an operator starts it, up to its first line. */
async function started(base: string, ...args: string[]) {
  const server = Bun.spawn([process.execPath, MAIN, "registry", "serve", "--data", "data", ...args], {
    cwd: base,
    stdin: "ignore",
    stderr: "pipe",
  });
  const reader = server.stdout.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  return { server, first, rest: async () => new TextDecoder().decode((await reader.read()).value) };
}

test("the first line says where it is and what its root is; a signal ends it in order", async () => {
  using base = temporaryFolder();
  let root: unknown;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { server, first, rest } = await started(base.path, "--json");
    const line: { ok: true; data: { url: string; root: string } } = JSON.parse(first);
    expect(Object.keys(line.data).sort()).toEqual(["root", "url"]);
    const answer = await fetch(`${line.data.url}/v1/root`, { keepalive: false });
    const digest = `sha256:${new Bun.CryptoHasher("sha256").update(await answer.bytes()).digest("hex")}`;
    expect(line.data.root).toBe(digest);
    root ??= digest;
    expect(digest).toBe(`${root}`); // the key stays
    server.kill(signal);
    expect([await server.exited, await rest()]).toEqual([0, ""]);
  }
});

test("one folder has one server; the second says so and the first goes on", async () => {
  using base = temporaryFolder();
  const { server, first } = await started(base.path);
  const url = /http:\S+/.exec(first)?.[0] ?? "";
  expect(await refusal(base.path, "registry", "serve", "--data", "data")).toEqual([1, "E_SERVE_IN_USE"]);
  const port = new URL(url).port;
  expect(await refusal(base.path, "registry", "serve", "--data", "other", "--port", port)).toEqual([
    1,
    "E_SERVE_LISTEN",
  ]);
  expect((await fetch(`${url}/healthz`, { keepalive: false })).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("no folder, a port that is none, a file where the folder should be", async () => {
  using base = temporaryFolder();
  const serve = (...args: string[]) => refusal(base.path, "registry", "serve", ...args);
  expect(await serve()).toEqual([64, "E_USAGE"]);
  for (const port of ["70000", "-1", "1e3", "http", "99999999999"])
    expect(await serve("--data", "d", `--port=${port}`)).toEqual([64, "E_USAGE"]);
  await Bun.write(join(base.path, "file"), "x");
  expect((await serve("--data", "file"))[0]).toBe(1);
});
