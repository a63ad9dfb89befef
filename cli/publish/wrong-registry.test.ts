import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Serving, serveRegistry } from "@hookpkg/registry";
import { hookpkg, refusal, temporaryFolder } from "../author/test-program.ts";
import { between, forwarded } from "./test-registry.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

let serving: Serving;
const data = temporaryFolder();

beforeAll(async () => {
  serving = await serveRegistry({ dataDir: join(data.path, "registry") });
});
afterAll(async () => {
  await serving.stop();
  data[Symbol.dispose]();
});

test("a registry that answers in any wrong way is refused by a code", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@wrong/guard");
  const problem = { headers: { "content-type": "application/json" } };
  const wrong: [() => Response, string][] = [
    [() => new Response("<html>"), "E_REGISTRY_CONTENT_TYPE"],
    [() => new Response("{", problem), "E_REGISTRY_ANSWER"],
    [() => new Response("null", problem), "E_REGISTRY_ANSWER"],
    [() => new Response(`{"logKey":"${"A".repeat(43)}=","origin":"x","v":2}`, problem), "E_REGISTRY_ANSWER"],
    [() => new Response("x", { status: 500 }), "E_REGISTRY_CONTENT_TYPE"],
    [() => new Response(null, { status: 302, headers: { location: serving.url } }), "E_REGISTRY_REDIRECT"],
  ];
  for (const [response, code] of wrong) {
    using server = between(response);
    const found = await refusal(
      base.path,
      "publish",
      "guard",
      "--registry",
      server.url.href,
      "--registry-root",
      serving.root,
    );
    expect(found[1]).toBe(code);
    expect(found[0]).not.toBe(0);
  }
  expect((await refusal(base.path, "publish", "guard", "--registry", "ftp://x"))[1]).toBe("E_REGISTRY_URL");
  expect((await refusal(base.path, "publish", "guard", "--registry", "http://127.0.0.1:1"))[1]).toBe(
    "E_REGISTRY_UNREACHABLE",
  );
});

test("a receipt that the log's key did not sign is not believed", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "keygen", "--scope", "@lied", "--no-passphrase");
  await hookpkg(base.path, "new", "guard", "--name", "@lied/guard");
  let lie = (text: string) => text;
  using server = between((request) => {
    const isReceipt = request.method === "PUT" && !request.url.includes("/blobs/");
    return forwarded(serving.url, request, isReceipt ? lie : undefined);
  });
  const at = ["--registry", server.url.href, "--registry-root", serving.root];
  expect((await hookpkg(base.path, "scope", "claim", "@lied", ...at)).code).toBe(0);
  const index = /"index":(\d+)/;
  const lies: [(text: string) => string, string][] = [
    [(text) => text.replace(index, (_, n) => `"index":${Number(n) - 1}`), "E_LOG_INCLUSION"],
    [
      (text) => text.replace(/— (\S+) (\S)/, (_, name, sign) => `— ${name} ${sign === "B" ? "C" : "B"}`),
      "E_LOG_UNSIGNED",
    ],
    [(text) => text.replace(/"size":\d+/, '"size":1'), "E_LOG_RECEIPT"],
    [() => "{}", "E_REGISTRY_ANSWER"],
  ];
  for (const [n, [told, code]] of lies.entries()) {
    lie = told;
    const found = await refusal(base.path, "publish", "guard", ...at);
    expect(found[1]).toBe(code);
    setVersion(join(base.path, "guard", "hookpkg.json"), `0.${n + 2}.0`); // this one is published, whatever was told of it
  }
});

function setVersion(manifest: string, version: string): void {
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
}
