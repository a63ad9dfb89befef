import { type Fault, isFault } from "@hookpkg/fault";
import { parseJson } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";

export type RpcId = string | number;

/** One message of the other side. A notification has no id; `bad` is answered with the id where it could still be read. */
export type Incoming =
  | { kind: "call"; id: RpcId | undefined; method: string; params: unknown }
  | { kind: "answer" }
  | { kind: "bad"; id: RpcId | null; fault: Fault };

const MAX_NAME = 200;
const id = z.union([z.string().max(MAX_NAME), z.number()]);
const call = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: id.optional(),
  method: z.string().min(1).max(MAX_NAME),
  params: z.unknown().optional(),
});
const answer = z.looseObject({ jsonrpc: z.literal("2.0"), id }).refine((it) => "result" in it || "error" in it);

/** JSON-RPC 2.0, one object a line, no batches. Never throws. */
export function readMessage(line: Uint8Array | "too long"): Incoming {
  if (line === "too long") return { kind: "bad", id: null, fault: refuse("E_BRIDGE_LINE", {}) };
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    const fault = isFault(error) ? error : refuse("E_BRIDGE_MESSAGE", {}, error);
    return { kind: "bad", id: idIn(leniently(line)), fault };
  }
  const read = call.safeParse(value);
  if (read.success) return { kind: "call", id: read.data.id, method: read.data.method, params: read.data.params };
  if (answer.safeParse(value).success) return { kind: "answer" };
  const found = read.error.issues[0]?.path.join(".") ?? "";
  return { kind: "bad", id: idIn(value), fault: refuse("E_BRIDGE_MESSAGE", { path: found }) };
}

/** Only for the id, so that whoever waits for an answer gets one. */
function leniently(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(line));
  } catch {
    return undefined;
  }
}

function idIn(value: unknown): RpcId | null {
  const read = z.looseObject({ id }).safeParse(value);
  return read.success ? read.data.id : null;
}

/** JSON-RPC's number of a fault; `data.code` has the code that hookpkg goes by. */
const NUMBERS: Readonly<Record<string, number>> = {
  ...{ E_JSON: -32700, E_JSON_NOT_UTF8: -32700, E_JSON_TOO_DEEP: -32700, E_JSON_TOO_LARGE: -32700 },
  ...{ E_JSON_DUPLICATE_KEY: -32700, E_BRIDGE_LINE: -32700, E_BRIDGE_MESSAGE: -32600, E_BRIDGE_METHOD: -32601 },
  ...{ E_BRIDGE_BUSY: -32000, E_BRIDGE_INITIALIZE: -32002, E_INTERNAL: -32603 },
};
const PARAMS = -32602;

export function errorAnswer(to: RpcId | null, fault: Fault, more: object = {}): object {
  const { code, message, facts } = fault;
  const error = { code: NUMBERS[code] ?? PARAMS, message, data: { code, facts, ...more } };
  return { jsonrpc: "2.0", id: to, error };
}
