import type { Fault } from "@hookpkg/fault";
import { JSON_TYPE, PROBLEM_TYPE, problemOf, type ROUTES, type RouteName } from "@hookpkg/protocol";
import type { Static, TSchema } from "@sinclair/typebox";

type GivenBy<R extends RouteName> = (typeof ROUTES)[R]["gives"] extends infer S extends TSchema ? Static<S> : never;

/** The answer of a route in the contract's shape. */
export function answer<R extends RouteName>(
  _: R,
  status: 200 | 201,
  body: GivenBy<R>,
  headers: Record<string, string> = {},
): Response {
  return text(status, JSON.stringify(body), JSON_TYPE, headers);
}

export function text(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(body, { status, headers: { ...PLAIN, "content-type": type, ...headers } });
}

export function problem(fault: Fault, status: number): Response {
  return text(status, JSON.stringify(problemOf(fault, status)), PROBLEM_TYPE, { "cache-control": "no-store" });
}

/** On every answer: what a browser may not guess. */
export const PLAIN = { "x-content-type-options": "nosniff" };
/** What stands under a digest never changes. */
export const FOR_EVER = { "cache-control": "public, max-age=31536000, immutable" };
/** What grows: kept, but asked for again. */
export const ASK_AGAIN = { "cache-control": "no-cache" };
