import { expect } from "bun:test";
import type { Handler, Outcome } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import type { ModelClient } from "../model/client.ts";
import { personModel } from "../model/person-model.ts";
import { configure, modelServer } from "../model/test-server.ts";
import { folder, type Trial, trial } from "./test-run.ts";

/** For tests of what models are asked: one server that both providers' clients of a person speak to. Who imports it stops it. */
export const server = modelServer();
export const PROVIDERS = ["anthropic", "openai-compatible"] as const;

type Model = (typeof PROVIDERS)[number] | ModelClient | undefined;
type Asked = Trial & { prompt?: string };

/** A prompt that may cancel, and an agent that may cancel and patch. */
export const ask = (model: Model, handler: Partial<Handler> = {}, more: Asked = {}) =>
  asked("prompt", model, { ...more, handler: { may: ["cancel"], ...handler } });
export const turn = (model: Model, handler: Partial<Handler> = {}, more: Asked = {}) =>
  asked("agent", model, { ...more, handler: { may: ["cancel", "patch"], ...handler } });

async function asked(type: "prompt" | "agent", model: Model, { prompt = QUESTION, ...more }: Asked): Promise<Outcome> {
  const client = typeof model === "string" ? personOf(model) : model;
  const deps = client === undefined ? {} : { model: client };
  return await trial({ type, prompt, model: "small" }, { deps, ...more });
}

const QUESTION = "Is this well? $ARGUMENTS";

/** The model of a person who has configured it so. */
export function personOf(provider: (typeof PROVIDERS)[number]): ModelClient {
  const home = homeFolders(folder());
  configure(home.config, provider, server.url);
  return personModel(home);
}

export const CONTINUE = { outcome: "answered", answer: { answer: "continue" } };
export const call = (tool: string, input: unknown) => ({ tool, input });
export const failed = (detail?: string) => ({
  ...{ outcome: "failed", why: "E_MODEL_ANSWER" },
  ...(detail === undefined ? {} : { detail: expect.stringContaining(detail) }),
});
