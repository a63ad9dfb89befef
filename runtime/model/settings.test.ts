import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Home, homeFolders } from "../home.ts";
import { type NetOutside, opened } from "../net/outside.ts";
import { PUBLIC, TEST_TLS, testNet } from "../net/test-net.ts";
import { testFolder } from "../test-folder.ts";
import type { ModelReply } from "./client.ts";
import { personModel } from "./person-model.ts";
import { modelSettings } from "./settings.ts";
import { completionOf, configure, modelServer } from "./test-server.ts";

const server = modelServer();
const asRoot = test.if(process.getuid?.() === 0);
afterAll(() => server.stop());
beforeEach(() => {
  server.got.length = 0;
  server.says({ text: "said" });
});

function homeWith(model: Record<string, unknown> | undefined): Home {
  const home = homeFolders(testFolder());
  mkdirSync(home.config, { recursive: true, mode: 0o700 });
  configOf(home, model);
  return home;
}

function configOf(home: Home, model: Record<string, unknown> | undefined): void {
  const text = JSON.stringify({ v: 1, options: {}, ...(model === undefined ? {} : { model }) });
  writeFileSync(join(home.config, "config.json"), text, { mode: 0o600 });
}

const plain = (more: Record<string, unknown> = {}) => ({
  ...{ provider: "openai-compatible", url: server.url, small: "little", large: "big" },
  ...more,
});
const ask = (home: Home, net?: Parameters<typeof personModel>[1]): Promise<ModelReply> =>
  personModel(
    home,
    net,
  )({
    ...{ size: "large", system: "", prompt: "p", maxTokens: 9, signal: AbortSignal.timeout(20_000) },
  });
async function code(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work);
    return "none";
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

describe("the key", () => {
  test("is read from the person's own file, with ~/ as their home, and sent as the provider takes it", async () => {
    const home = homeFolders(testFolder());
    for (const [provider, header, value] of [
      ["anthropic", "x-api-key", "k-3y"],
      ["openai-compatible", "authorization", "Bearer k-3y"],
    ] as const) {
      configure(home.config, provider, server.url);
      expect(await ask(home)).toEqual({ text: "said", calls: [] });
      expect(server.got.at(-1)).toMatchObject({ model: "big", headers: { [header]: value } });
    }
    configOf(home, plain({ keyFile: "~/config/model.key" }));
    expect(modelSettings(home)).toMatchObject({ key: "k-3y" });
  });

  test("is asked of nobody when there is none", async () => {
    for (const provider of ["anthropic", "openai-compatible"]) {
      expect(await ask(homeWith(plain({ provider })))).toMatchObject({ text: "said" });
      const names = Object.keys(server.got.at(-1)?.headers ?? {});
      expect(names.filter((name) => /key|auth/.test(name))).toEqual([]);
    }
  });

  test.each<[string, (file: string) => void]>([
    ["is not there", (file) => rmSync(file)],
    ["others can read", (file) => chmodSync(file, 0o640)],
    ["others can write", (file) => chmodSync(file, 0o602)],
    ["is a link", (file) => renameSync(file, `${file}.2`) ?? symlinkSync(`${file}.2`, file)],
    ["is a folder", (file) => rmSync(file) ?? mkdirSync(file)],
    ["is empty", (file) => writeFileSync(file, " \n")],
    ["has two lines", (file) => writeFileSync(file, "a\nb")],
    ["has a sign that no header has", (file) => writeFileSync(file, "kéy")],
    ["is too large", (file) => writeFileSync(file, "k".repeat(5000))],
  ])("is refused when its file %s", async (_, spoil) => {
    const home = homeFolders(testFolder());
    configure(home.config, "anthropic", server.url);
    spoil(join(home.config, "model.key"));
    expect(await code(ask(home))).toBe("E_MODEL_KEY");
    expect(server.got).toEqual([]);
  });

  asRoot("is refused when its file is another user's", async () => {
    const home = homeFolders(testFolder());
    configure(home.config, "anthropic", server.url);
    chownSync(join(home.config, "model.key"), 65_534, 65_534);
    expect(await code(ask(home))).toBe("E_MODEL_KEY");
  });

  test("is no relative path", async () => {
    expect(await code(() => modelSettings(homeWith(plain({ keyFile: "model.key" }))))).toBe("E_MODEL_KEY");
  });
});

describe("the address", () => {
  test.each([
    "http://api.example.com/v1",
    "http://10.0.0.1/v1",
    "https://10.0.0.1/v1",
    "http://localhost.example.com/v1",
    "https://user:pass@api.example.com/v1",
    "https://api.example.com/v1?x=1",
    "https://api.example.com/v1#x",
    "http://127.1/v1",
  ])("%s is refused before anything is sent", async (url) => {
    expect(await code(ask(homeWith(plain({ url }))))).toBe("E_MODEL_URL");
  });

  test.each([
    "https://user:hunter2-hunter2@api.example.com/v1",
    "https://api.example.com/v1?key=hunter2-hunter2",
    "https://api.example.com/v1#hunter2-hunter2",
  ])("that is refused tells no key that was written into it: %s", (url) => {
    try {
      modelSettings(homeWith(plain({ url })));
      throw new Error("it was taken");
    } catch (error) {
      if (!isFault(error, "E_MODEL_URL")) throw error;
      expect(error.facts).toEqual({ url: "https://api.example.com/v1", found: "more than an address: a user, ? or #" });
    }
  });

  test("of another scheme is no config", async () => {
    for (const url of ["ftp://x.example/", "file:///etc/passwd", "https:api.example.com"])
      expect(await code(() => modelSettings(homeWith(plain({ url }))))).toBe("E_STATE_FILE");
  });

  test("may lead into the person's own network, by a name that the other side proves", async () => {
    const secure = Bun.serve({
      ...{ port: 0, hostname: "127.0.0.1", tls: TEST_TLS },
      fetch: () => Response.json(completionOf({ text: "inside" })),
    });
    try {
      const port = secure.port ?? 0;
      const places = { "10.0.0.5:443": port, [`${PUBLIC}:443`]: port };
      const { outside } = testNet({ "api.example.com": ["10.0.0.5"], "evil.example": [PUBLIC] }, places);
      const at = (host: string) => homeWith(plain({ url: `https://${host}/v1/` }));
      expect(await ask(at("api.example.com"), outside)).toEqual({ text: "inside", calls: [] });
      expect(await code(ask(at("evil.example"), outside))).toBe("E_MODEL_UNREACHABLE");
      expect(await code(ask(at("nowhere.example"), outside))).toBe("E_MODEL_UNREACHABLE");
    } finally {
      await secure.stop(true);
    }
  });

  test("without anybody behind it is told apart", async () => {
    expect(await code(ask(homeWith(plain({ url: "http://127.0.0.1:1/v1" }))))).toBe("E_MODEL_UNREACHABLE");
  });
});

test("OpenAI itself is told the limit by its newer name, others by the one that they know", async () => {
  const outside: NetOutside = {
    resolve: async () => [PUBLIC],
    connect: (_, signal) => opened({ address: "127.0.0.1", port: server.port }, signal),
  };
  for (const host of ["api.openai.com", "models.example.com"])
    await ask(homeWith(plain({ url: `https://${host}/v1` })), outside);
  expect(server.got.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [undefined, 9],
    [9, undefined],
  ]);
});

test("a changed config counts at once, and without a model there is none", async () => {
  const home = homeWith(undefined);
  expect(await code(ask(home))).toBe("E_MODEL_NONE");
  configOf(home, plain());
  expect(await ask(home)).toMatchObject({ text: "said" });
  configOf(home, plain({ large: "bigger" }));
  await ask(home);
  expect(server.got.map(({ model }) => model)).toEqual(["big", "bigger"]);
  configOf(home, plain({ provider: "other" }));
  expect(await code(ask(home))).toBe("E_STATE_FILE");
  configOf(home, undefined);
  expect(await code(ask(home))).toBe("E_MODEL_NONE");
});

describe("the environment", () => {
  const nowhere = "http://127.0.0.1:1";
  const HOSTILE = {
    ...{ ANTHROPIC_API_KEY: "env-key", ANTHROPIC_AUTH_TOKEN: "env-key", ANTHROPIC_BASE_URL: nowhere },
    ...{ OPENAI_API_KEY: "env-key", OPENAI_BASE_URL: nowhere, AI_GATEWAY_API_KEY: "env-key" },
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere, ALL_PROXY: nowhere },
    ...{ NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  };

  /** What another process, started so, is told by the model of a home. */
  async function askedThere(home: Home): Promise<string> {
    const program = `
      import { homeFolders } from ${JSON.stringify(join(import.meta.dir, "../home.ts"))};
      import { personModel } from ${JSON.stringify(join(import.meta.dir, "person-model.ts"))};
      const request = { size: "large", system: "", prompt: "p", maxTokens: 9, signal: AbortSignal.timeout(60_000) };
      const asked = personModel(homeFolders(${JSON.stringify(home.base)}))(request);
      console.log(await asked.then(({ text }) => text, (error) => error.code));`;
    const child = Bun.spawn([process.execPath, "-e", program], { env: HOSTILE, stderr: "ignore" });
    return (await new Response(child.stdout).text()).trim();
  }

  test.each(["anthropic", "openai-compatible"])(
    "has no say in where a request goes, and with which key, by %s",
    async (provider) => {
      expect(await askedThere(homeWith(plain({ provider })))).toBe("said");
      expect(server.got).toHaveLength(1);
      expect(JSON.stringify(server.got)).not.toContain("env-key");
    },
  );

  test("has no say in whom a request believes", async () => {
    const liar = Bun.serve({
      ...{ port: 0, hostname: "127.0.0.1", tls: TEST_TLS }, // with a certificate that nobody trusts
      fetch: () => Response.json(completionOf({ text: "lies" })),
    });
    try {
      const home = homeWith(plain({ url: `https://127.0.0.1:${liar.port}/v1` }));
      expect(await askedThere(home)).toBe("E_MODEL_UNREACHABLE");
    } finally {
      await liar.stop(true);
    }
  });
});
