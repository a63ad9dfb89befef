import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { PUBLIC, TEST_AUTHORITY, TEST_TLS, testNet } from "../net/test-net.ts";
import { event, folder, module, printed, shell, type Trial, trial } from "./test-run.ts";
import { Workers } from "./workers.ts";

const echo = async (request: Request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/slow") return new Response(new ReadableStream({ pull: () => Bun.sleep(60_000) }));
  if (pathname === "/big") return new Response("x".repeat(5 * 1024 * 1024));
  const text = await request.text();
  const said = [request.method, request.headers.get("host"), pathname, text, request.headers.get("x-key") ?? "-"];
  return new Response(said.join(" "), { headers: { "x-said": "1" } });
};
const secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: TEST_TLS, fetch: echo });
const plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: echo });
const workers: Workers[] = [];
afterEach(async () => {
  for (const pool of workers.splice(0)) await pool.close();
});
afterAll(async () => {
  await Promise.all([secure.stop(true), plain.stop(true)]);
});

const names = { "api.example.com": [PUBLIC], "meta.example.com": ["169.254.169.254"] };
const places = {
  [`${PUBLIC}:443`]: secure.port ?? 0,
  [`${PUBLIC}:80`]: plain.port ?? 0,
  [`127.0.0.1:${plain.port}`]: plain.port ?? 0,
};
const NET = ["api.example.com:443", "api.example.com:80", "meta.example.com:443"];
const online = (more: Trial = {}): Trial => ({
  net: testNet(names, places).outside,
  ...more,
  files: { "ca.pem": TEST_AUTHORITY, ...more.files },
  capabilities: { net: NET, ...more.capabilities },
});
const said = (outcome: Outcome) =>
  outcome.outcome === "answered" && outcome.answer.context !== undefined
    ? outcome.answer.context
    : JSON.stringify(outcome);

describe("a command with hosts of its own", () => {
  test("curl reaches them, over TLS and in plain", async () => {
    const script = `curl -sS --cacert /plugin/ca.pem https://api.example.com/a -d one; echo; curl -sS http://api.example.com/b -H 'x-key: k'`;
    expect(await printed(script, online())).toBe("POST api.example.com /a one -\nGET api.example.com /b  k");
  });

  test("so does Python's urllib", async () => {
    const script = `python3 -I - <<'END'
import ssl, urllib.request
trust = ssl.create_default_context(cafile="/plugin/ca.pem")
for request in (urllib.request.Request("https://api.example.com/a", data=b"one"), "http://api.example.com/b"):
    print(urllib.request.urlopen(request, context=trust if not isinstance(request, str) else None).read().decode())
END`;
    expect(await printed(script, online())).toBe("POST api.example.com /a one -\nGET api.example.com /b  -");
  });

  test("so does Bun's fetch", async () => {
    const files = {
      "ask.ts": `import { readFileSync } from "node:fs";
        const tls = { ca: readFileSync("/plugin/ca.pem", "utf8") };
        console.log(await (await fetch("https://api.example.com/a", { tls, method: "POST", body: "one" })).text());
        console.log(await (await fetch("http://api.example.com/b")).text());`,
    };
    const script = "BUN_BE_BUN=1 /opt/hookpkg/hookpkg --no-install /plugin/ask.ts";
    expect(await printed(script, online({ files }))).toBe("POST api.example.com /a one -\nGET api.example.com /b  -");
  });

  test("a service of this machine, when it was declared under one of its names", async () => {
    const own = `127.0.0.1:${plain.port}`;
    const declared = online({ capabilities: { net: [own] } });
    expect(await printed(`curl -sS http://${own}/a`, declared)).toBe(`GET ${own} /a  -`);
    expect(await printed(`curl -sS -o /dev/null -w '%{http_code}' http://localhost:${plain.port}/a`, declared)).toBe(
      "403",
    );
  });

  test("its own end is its own: exit code, signal, streams, stdin", async () => {
    expect(await shell("cat >/dev/null; exit 3", online())).toMatchObject({ outcome: "failed", why: "E_ANSWER_EXIT" });
    expect(await shell("kill -9 $$", online())).toMatchObject({ why: "E_ANSWER_SIGNAL" });
    expect(await printed("wc -c </dev/stdin; echo x >/dev/stderr; env | grep -c BUN_BE_BUN", online())).toMatch(
      /^\d\d+\nx\n0$/,
    );
    expect(await shell("sleep 60", online({ handler: { timeoutMs: 1500 } }))).toMatchObject({ outcome: "late" });
  });

  const curl = (...words: string[]) => `curl -fsS -o /dev/null -m 10 ${words.join(" ")} 2>&1; echo "exit $?"`;
  test.each([
    ["an undeclared host", curl("https://evil.example/"), "net evil.example:443: not declared"],
    ["a declared host, another port", curl("https://api.example.com:8443/"), "net api.example.com:8443: not declared"],
    ["an address", curl("https://93.184.216.34/"), "net 93.184.216.34:443: no plain name of a host"],
    ["a hexadecimal address", curl("http://0x7f.1/"), /no plain request to a named host|not declared/],
    [
      "a declared name that leads to metadata",
      curl("https://meta.example.com/"),
      "net meta.example.com:443: it leads to 169.254.169.254",
    ],
    ["loopback of the host", curl("--noproxy ''", "http://127.0.0.1:80/"), /127\.0\.0\.1/],
    [
      "TLS that asks for another name",
      curl("-k", "--connect-to evil.example:443:api.example.com:443", "https://evil.example/"),
      /TLS asks for evil\.example|not declared/,
    ],
  ])("does not reach %s, and the journal says so", async (_, script, denial) => {
    const outcome = await shell(`{ ${script}; } >&2; exit 2`, online());
    expect(outcome).toMatchObject({
      outcome: "answered",
      answer: { answer: "cancel", reason: expect.stringMatching(/exit [1-9]/) },
    });
    expect(outcome.denied).toEqual([typeof denial === "string" ? denial : expect.stringMatching(denial)]);
  });

  /** One attempt by a system call; says what became of it. */
  const attempt = (lines: string) =>
    printed(
      `python3 -I - <<'END'\nimport socket, struct\ntry:\n${lines.replace(/^/gm, "    ")}\n    print("open")\nexcept OSError as error:\n    print(error.__class__.__name__, error.errno)\nEND`,
      online(),
    );

  test("has no network beside its gateway: not directly, by UDP, by DNS", async () => {
    expect(await attempt('socket.create_connection(("93.184.216.34", 443), 3)')).toMatch(/^OSError 101$/);
    expect(
      await attempt('socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("93.184.216.34", 53))'),
    ).toMatch(/^OSError 101$/);
    expect(await attempt('socket.getaddrinfo("api.example.com", 443)')).toMatch(/^gaierror/);
    expect(await attempt("socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)")).toMatch(/^PermissionError/);
  });

  test("a service of the host on loopback is not there", async () => {
    expect(await attempt(`socket.create_connection(("127.0.0.1", ${plain.port}), 3)`)).toMatch(
      /^ConnectionRefusedError/,
    );
  });

  test("families that lead elsewhere do not exist: paths, abstract names, netlink, vsock, packets", async () => {
    const host = createServer().listen("\0hookpkg-test-abstract");
    for (const family of [
      "socket.AF_UNIX",
      "socket.AF_NETLINK",
      "socket.AF_VSOCK",
      "socket.AF_PACKET",
      "socket.AF_ALG",
    ])
      expect(await attempt(`socket.socket(${family}, socket.SOCK_STREAM)`)).toBe("OSError 97");
    expect(await attempt('socket.socket(socket.AF_UNIX).connect("\\0hookpkg-test-abstract")')).toBe("OSError 97");
    expect(await attempt('socket.socket(socket.AF_UNIX).connect("/run/hookpkg/gateway.sock")')).toBe("OSError 97");
    host.close();
  });

  test("the process that carries its requests is closed to it", async () => {
    const script = `for f in mem maps environ; do cat /proc/2/$f >/dev/null 2>&1 && echo "$f of 2"; done; python3 -I - <<'END'
import os
for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
    try:
        words = open(f"/proc/{pid}/cmdline").read()
        if words.startswith("/opt/hookpkg/hookpkg"):
            print("found")
            open(f"/proc/{pid}/mem", "r+b"); print("open", words)
    except OSError as error: print(error.errno)
END`;
    expect(await printed(script, online())).toMatch(/^found\n13$/);
  });

  test("without the right there is no socket at all, and no gateway", async () => {
    const script = `python3 -I -c 'import socket; socket.socket()' 2>&1 | tail -1; ls /run/hookpkg /opt/hookpkg 2>&1; env | grep -ci proxy`;
    expect(await printed(script)).toMatch(/Address family not supported[\s\S]*No such file[\s\S]*0$/);
  });
});

const SERVICE = `import json, sys, urllib.request, ssl
def say(frame):
    sys.stdout.write(json.dumps(frame) + "\\n"); sys.stdout.flush()
say({"ready": 1})
trust = ssl.create_default_context(cafile="/plugin/ca.pem")
for line in sys.stdin:
    call = json.loads(line)
    url = call["payload"]["tool_input"]["command"]
    try: text = urllib.request.urlopen(url, context=trust, timeout=5).read().decode()
    except Exception as error: text = error.__class__.__name__
    say({"id": call["id"], "rpc": "fetch", "n": 1, "args": [url, {"headers": {"x-key": "k"}}]})
    told = json.loads(sys.stdin.readline())
    say({"id": call["id"], "answer": {"answer": "context", "context": text + "|" + str(told.get("ok", {}).get("status")) + "|" + told.get("error", {}).get("code", "")}})
`;

test("a kept service has its gateway for as long as it lives, and is told apart by call", async () => {
  const pool = new Workers();
  workers.push(pool);
  const dataFolder = join(folder(), "data");
  const ask = (command: string) =>
    trial(
      { type: "service", argv: ["python3", "-I", "${PLUGIN_ROOT}/guard.py"] },
      online({
        workers: pool,
        files: { "guard.py": SERVICE },
        call: { dataFolder, payload: { ...event, tool_input: { command } } },
      }),
    );
  expect(said(await ask("https://api.example.com/a"))).toBe("GET api.example.com /a  -|200|");
  const refused = await ask("https://evil.example/");
  expect([said(refused), refused.denied]).toEqual([
    "URLError|None|E_CAPABILITY",
    ["net evil.example:443: not declared", "net evil.example:443: not declared"],
  ]);
  const again = await ask("http://api.example.com/b");
  expect([said(again), again.denied, pool.size]).toEqual(["GET api.example.com /b  -|200|", undefined, 1]);
});

const fetching = (expression: string) =>
  `export default async (event, ctx) => { try { const context = ${expression}; return { answer: "context", context: typeof context === "string" ? context : JSON.stringify(context) } }
   catch (error) { return { answer: "context", context: error.code ?? String(error) } } }`;

describe("ctx.fetch", () => {
  test("is fetch, for declared hosts", async () => {
    const text = fetching(`await (async () => {
      const response = await ctx.fetch("https://api.example.com/a?b=1", { method: "POST", body: "one", headers: { "X-Key": ctx.env.KEY } });
      return [response instanceof Response, response.ok, response.status, response.url, response.headers.get("x-said"), await response.text()] })()`);
    const trial = online({ capabilities: { net: NET, env: ["KEY"] }, call: { env: { KEY: "k" } } });
    expect(JSON.parse(said(await module(text, trial)))).toEqual([
      true,
      true,
      200,
      "https://api.example.com/a?b=1",
      "1",
      "POST api.example.com /a one k",
    ]);
  });

  test("carries any bytes, both ways", async () => {
    const text = fetching(
      `await (await ctx.fetch("http://api.example.com/", { method: "PUT", body: new Uint8Array([0xc3, 0xa9, 0x31]) })).text()`,
    );
    expect(said(await module(text, online()))).toBe("PUT api.example.com / é1 -");
  });

  test.each([
    ["an undeclared host", `ctx.fetch("https://evil.example/")`, "E_CAPABILITY", "net evil.example:443: not declared"],
    [
      "a name that leads inside",
      `ctx.fetch("https://meta.example.com/")`,
      "E_NET_ADDRESS",
      "net meta.example.com:443: it leads to 169.254.169.254",
    ],
    ["an address", `ctx.fetch("http://0x7f.1/")`, "E_NET_URL", "net http://0x7f.1/: no plain address of a named host"],
  ])("is denied for %s, in the handler and in the journal", async (_, call, code, denial) => {
    const outcome = await module(fetching(`await ${call}`), online());
    expect([said(outcome), outcome.denied]).toEqual([code, [denial]]);
  });

  test.each([
    [
      "a header of ours",
      `ctx.fetch("https://api.example.com/", { headers: { Host: "evil.example" } })`,
      "E_NET_REQUEST",
    ],
    ["a method that is none", `ctx.fetch("https://api.example.com/", { method: "CONNECT" })`, "E_NET_REQUEST"],
    ["no address", `ctx.fetch()`, "E_NET_URL"],
    ["too large a body", `ctx.fetch("https://api.example.com/big")`, "E_NET_TOO_LARGE"],
  ])("refuses %s", async (_, call, code) => {
    expect(said(await module(fetching(`await ${call}`), online()))).toBe(code);
  });

  test("takes so many at once and no more", async () => {
    const text = fetching(`await (async () => {
      for (let n = 0; n < 8; n++) ctx.fetch("https://api.example.com/slow").catch(() => {});
      return await ctx.fetch("https://api.example.com/").then(() => "open", (error) => error.code) })()`);
    expect(said(await module(text, online()))).toBe("E_NET_REQUEST");
  });

  test("ends with its call, however slowly somebody answers, and the next call is clean", async () => {
    const pool = new Workers();
    workers.push(pool);
    const trial = online({ workers: pool, call: { dataFolder: join(folder(), "data") } });
    const slow = `export default async (event, ctx) => { if (event.tool_input.command === "slow") await ctx.fetch("https://api.example.com/slow"); return { answer: "context", context: "fine" } }`;
    const payload = { ...event, tool_input: { command: "slow" } };
    const late = await module(slow, { ...trial, handler: { timeoutMs: 1500 }, call: { ...trial.call, payload } });
    expect(late).toMatchObject({ outcome: "late" });
    expect(said(await module(slow, trial))).toBe("fine");
  });

  test("an answer that comes after its call was answered is nobody's", async () => {
    const pool = new Workers();
    workers.push(pool);
    const trial = online({ workers: pool, call: { dataFolder: join(folder(), "data") } });
    const text = `let n = 0; export default async (event, ctx) => {
      if (n++ === 0) { ctx.fetch("https://api.example.com/first").catch(() => {}); return undefined }
      return { answer: "context", context: await (await ctx.fetch("https://api.example.com/second")).text() } }`;
    await module(text, trial);
    expect(said(await module(text, trial))).toBe("GET api.example.com /second  -");
  });

  test("leaves the worker without any socket", async () => {
    const text = fetching(`await (async () => {
      const { dlopen } = await import("bun:ffi");
      const { socket } = dlopen("libc.so.6", { socket: { args: ["i32", "i32", "i32"], returns: "i32" } }).symbols;
      const direct = await fetch("https://api.example.com/").then(() => "open", () => "none");
      return [socket(1, 1, 0), socket(2, 1, 0), socket(10, 2, 0), direct] })()`);
    expect(said(await module(text, online()))).toBe('[-1,-1,-1,"none"]');
  });
});
