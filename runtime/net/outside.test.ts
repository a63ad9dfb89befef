import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absoluteName } from "./absolute-name.ts";
import { TEST_TLS } from "./test-net.ts";

const AUTHORITY = join(import.meta.dir, "../../fixtures/net/ca.pem");
const folder = mkdtempSync(join(tmpdir(), "hookpkg-test-"));
/** The name under which OpenSSL looks for it: the hash of its subject. */
symlinkSync(AUTHORITY, join(folder, "476d119e.0"));
const liar = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: TEST_TLS, fetch: () => new Response("lies") });
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await liar.stop(true);
});

/** Whether a process that was started so believes a server of that authority. */
async function believed(env: Readonly<Record<string, string>>): Promise<string> {
  const program = `
    import { opened } from ${JSON.stringify(join(import.meta.dir, "outside.ts"))};
    const place = { address: "127.0.0.1", port: ${liar.port}, tls: { name: "api.example.com" } };
    const socket = opened(place, AbortSignal.timeout(60_000)${"trust" in env ? `, { trust: await Bun.file(${JSON.stringify(AUTHORITY)}).text() }` : ""});
    console.log(await socket.then((it) => (it.destroy(), "believed"), () => "refused"));`;
  const child = Bun.spawn([process.execPath, "-e", program], { env, stderr: "ignore" });
  return (await new Response(child.stdout).text()).trim();
}

test.each<[string, Readonly<Record<string, string>>]>([
  ["NODE_EXTRA_CA_CERTS", { NODE_EXTRA_CA_CERTS: AUTHORITY }],
  ["SSL_CERT_FILE", { SSL_CERT_FILE: AUTHORITY }],
  ["SSL_CERT_DIR", { SSL_CERT_DIR: folder }],
  ["the system's store by a variable", { NODE_USE_SYSTEM_CA: "1", SSL_CERT_FILE: AUTHORITY }],
  ["no check at all", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
])("the environment has no say in whom TLS believes: %s", async (_, env) => {
  expect(await believed(env)).toBe("refused");
});

test("the same server is believed by who trusts its authority", async () => {
  expect(await believed({ trust: "yes" })).toBe("believed");
});

test("the environment has no say in which name is asked for", () => {
  const plain = "PATH=/usr/bin\0X=LOCALDOMAIN=a\0MY_RES_OPTIONS=1\0";
  expect(absoluteName("api.example.com", plain)).toBe("api.example.com");
  for (const steers of ["LOCALDOMAIN=evil.example", "RES_OPTIONS=ndots:15", "HOSTALIASES=/tmp/x"]) {
    expect(absoluteName("api.example.com", `${plain}${steers}\0`)).toBe("api.example.com.");
    expect(absoluteName("localhost", `${plain}${steers}\0`)).toBe("localhost");
  }
});
