import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hosts } from "./drive.ts";
import { inTurn, type MockModel, type Script, serveModel } from "./mock-model.ts";

let folder: string;
let model: MockModel | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookpkg-model-"));
});
afterEach(async () => {
  await model?.stop();
  rmSync(folder, { recursive: true });
});

function served(script: Script) {
  const socket = join(folder, "model.sock");
  const { wire, shell } = hosts["claude-code"];
  model = serveModel({ socket, wire, shell, script });
  const post = (path: string, body: unknown) =>
    fetch(`http://localhost${path}`, { unix: socket, method: "POST", body: JSON.stringify(body) });
  return { ...model, post };
}

const tools = [{ name: "Bash", description: "runs a command" }];
const ask = { system: "be good", messages: [{ role: "user", content: "hello" }], tools };

describe("the mock model", () => {
  test("says its turns, then that it is done", async () => {
    const { post, requests } = served(inTurn({ shell: "ls" }, { text: "so many files" }));
    const said = [];
    for (let turn = 0; turn < 3; turn++) said.push(await (await post("/v1/messages", ask)).text());
    expect(said[0]).toContain(String.raw`{\"command\":\"ls\"`);
    expect(said[1]).toContain("so many files");
    expect(said[2]).toContain("done");
    expect(requests.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test("keeps what it was told and what tools returned", async () => {
    const { post, requests } = served(inTurn());
    const result = { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "no such file" }] };
    await post("/v1/messages", { ...ask, messages: [...ask.messages, { role: "user", content: [result] }] });
    expect(requests[0]).toMatchObject({ tools: ["Bash"], results: ["text\nno such file"] });
    expect(requests[0]?.told).toContain("be good");
    expect(requests[0]?.told).not.toContain("runs a command");
  });

  test("asks the script nothing for requests besides the conversation", async () => {
    const { post, requests, others } = served(() => {
      throw new Error("asked");
    });
    expect((await post("/v1/messages", { ...ask, tools: [] })).status).toBe(200);
    expect((await post("/v1/messages/count_tokens", ask)).status).toBe(404);
    expect(requests).toEqual([]);
    expect(others.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages/count_tokens"]);
  });

  test("ends a conversation that has no end", async () => {
    const { post, failure } = served(() => ({ shell: "ls" }));
    let status = 200;
    for (let turn = 0; turn < 100 && status === 200; turn++) status = (await post("/v1/messages", ask)).status;
    expect(status).toBe(400);
    expect(String(failure())).toContain("more than");
  });

  test("refuses a turn that its API has no form for", async () => {
    const { post, failure } = served(inTurn({ tool: "apply_patch", input: "*** Begin Patch" }));
    expect((await post("/v1/messages", ask)).status).toBe(400);
    expect(String(failure())).toContain("freeform");
  });
});
