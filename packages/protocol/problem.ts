import type { Fact, Fault } from "@hookpkg/fault";
import { Value } from "@sinclair/typebox/value";
import { isAnswered, refuse } from "./faults.ts";
import { Problem } from "./schema.ts";

/** A fault as a registry answers it. `type` names the code, as RFC 9457 asks for a URI. */
export function problemOf(fault: Fault, status: number): Problem {
  return {
    type: `urn:hookpkg:fault:${fault.code}`,
    title: fault.message,
    status,
    code: fault.code,
    facts: { ...fault.facts },
  };
}

/** A registry's refusal as the client throws it: the contract's own codes as they are, any other as E_REGISTRY_REFUSED. */
export function faultOf(status: number, body: unknown): Fault {
  if (!Value.Check(Problem, body)) return refuse("E_REGISTRY_REFUSED", { status });
  // It came out of JSON.parse: nothing but facts can be in it.
  const facts = body.facts as Record<string, Fact>;
  if (isAnswered(body.code)) return refuse(body.code, { ...facts, status });
  return refuse("E_REGISTRY_REFUSED", { status, code: body.code, title: body.title, facts });
}
