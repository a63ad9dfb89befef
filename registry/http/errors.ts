import { type Fault, isFault } from "@hookpkg/fault";
import { ANSWERED, isAnswered, refuseRequest } from "@hookpkg/protocol";
import { NotFoundError, ParseError, ValidationError } from "elysia";
import type { Outside } from "../outside.ts";
import { problem } from "./answer.ts";

/**
 * Any error as a problem document. A fault keeps its code; what isn't one is told to the operator and to nobody else.
 * Elysia names errors by their own `code`, so they are told apart by class.
 */
export function refusal(error: unknown, outside: Outside): Response {
  if (isFault(error)) {
    const status = statusOf(error);
    if (status === 500) outside.report({ level: "error", event: "fault", code: error.code, facts: error.facts });
    return status === 500 && !isAnswered(error.code) ? internal() : problem(error, status);
  }
  if (error instanceof NotFoundError) return asked("E_REGISTRY_NOT_FOUND");
  if (error instanceof ValidationError) return asked("E_REGISTRY_REQUEST", { where: error.type });
  if (error instanceof ParseError) return asked("E_REGISTRY_REQUEST", { where: "body" });
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  outside.report({ level: "error", event: "crash", stack });
  return internal();
}

/** The contract's own codes say their status; our own and the log's are the server's trouble; all others are the caller's. */
function statusOf({ code }: Fault): number {
  if (isAnswered(code)) return ANSWERED[code].status;
  return SERVER_SIDE.test(code) ? 500 : 422;
}

function asked(code: "E_REGISTRY_NOT_FOUND" | "E_REGISTRY_REQUEST", facts: { where?: string } = {}): Response {
  return problem(refuseRequest(code, facts), ANSWERED[code].status);
}

function internal(): Response {
  return problem(refuseRequest("E_REGISTRY_INTERNAL"), 500);
}

const SERVER_SIDE = /^E_(?:LOG|SERVE|STORE)_/;
