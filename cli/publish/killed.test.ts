import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Serving, serveRegistry } from "@hookpkg/registry";
import { hookpkg, hookpkgJson, started, temporaryFolder } from "../author/test-program.ts";
import { between, forwarded } from "./test-registry.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(300_000);

let serving: Serving;
const data = temporaryFolder();

beforeAll(async () => {
  serving = await serveRegistry({ dataDir: join(data.path, "registry") });
});
afterAll(async () => {
  await serving.stop();
  data[Symbol.dispose]();
});

test("killed at any request, before or after the registry has done it: the next run finishes, and there is one release", async () => {
  const requests = ["GET /v1/root", "PUT /v1/scopes", "PUT /v1/blobs", "PUT /v1/packages"];
  const moments = requests.flatMap((request) => [true, false].map((done) => ({ request, done })));
  for (const [n, { request: at, done }] of moments.entries()) {
    using base = temporaryFolder();
    const scope = `@killed-${n}`;
    let victim: ReturnType<typeof started> | undefined;
    using server = between(async (request) => {
      const isHit = victim !== undefined && `${request.method} ${new URL(request.url).pathname}`.startsWith(at);
      if (isHit && !done) return killed(victim);
      const answer = await forwarded(serving.url, request);
      return isHit ? killed(victim) : answer;
    });
    const registry = ["--registry", server.url.href, "--registry-root", serving.root];
    await hookpkg(base.path, "keygen", "--scope", scope, "--no-passphrase");
    await hookpkg(base.path, "new", "guard", "--name", `${scope}/guard`);
    const claim = ["scope", "claim", scope, ...registry];
    const isClaim = at.includes("scopes");
    if (!isClaim) expect((await hookpkg(base.path, ...claim)).code).toBe(0);
    victim = started(base.path, ...(isClaim ? claim : ["publish", "guard", ...registry]));
    expect([at, done, await victim.exited, await victim.stderr.text()]).toEqual([at, done, 137, ""]);
    victim = undefined;
    expect([at, done, (await hookpkg(base.path, ...claim)).err]).toEqual([at, done, ""]);
    const after = await hookpkgJson(base.path, "publish", "guard", ...registry);
    const already = at.includes("packages") && done;
    expect([at, done, after]).toMatchObject([at, done, { code: 0, result: { ok: true, data: { already } } }]);
    const there: unknown = await (await fetch(`${serving.url}/v1/packages/killed-${n}/guard`)).json();
    expect(there).toMatchObject({ versions: [{ version: "0.1.0" }] });
  }
});

async function killed(victim: ReturnType<typeof started> | undefined): Promise<Response> {
  victim?.kill("SIGKILL");
  await victim?.exited;
  return new Response();
}
