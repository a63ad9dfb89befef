import type { Fault } from "@hookpkg/fault";
import { listed, type Watch } from "@hookpkg/runtime";
import { type Decision, EVENT_NAMES } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";
import { adapterOf } from "../host/event.ts";
import manifest from "../package.json" with { type: "json" };
import { type Asking, MAX_CALLS, MAX_WAITING, type Service } from "./conversation.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import type { Seat } from "./seat.ts";

const word = z.string().max(200);
const initialize = z.strictObject({ client: z.strictObject({ name: word, version: word.optional() }).optional() });
const asObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const dispatch = z.strictObject({
  event: word.min(1),
  payload: z.custom<Readonly<Record<string, unknown>>>(asObject, "an object"),
});

/** hookpkg's own methods, for embedders in any language: one for each connection. */
export class NativeService implements Service {
  readonly #seat: Seat;
  #isGreeted = false;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  async call(method: string, params: unknown, asking: Asking): Promise<object> {
    if (method === "initialize") return this.#initialize(params);
    if (!Object.hasOwn(METHODS, method))
      throw refuse("E_BRIDGE_METHOD", { found: method, known: Object.keys(METHODS) });
    if (!this.#isGreeted) throw refuse("E_BRIDGE_INITIALIZE", { found: method });
    return method === "hook/list" ? this.#list() : this.#dispatch(parsed(dispatch, params), asking);
  }

  /** Whether the action that was asked about is to be refused, now that nobody can judge it. */
  errorData(fault: Fault): object {
    const { exit, stderr } = this.#seat.without(adapterOf("native"), {}, fault);
    return exit === 0 ? { refuse: false } : { refuse: true, reason: stderr.trim() };
  }

  #initialize(params: unknown): object {
    parsed(initialize, params ?? {});
    this.#isGreeted = true;
    const limits = { lineBytes: MAX_LINE_BYTES, calls: MAX_CALLS, waiting: MAX_WAITING };
    return { protocol: 1, version: manifest.version, methods: Object.keys(METHODS), events: EVENT_NAMES, limits };
  }

  async #dispatch({ event, payload }: z.infer<typeof dispatch>, asking: Asking): Promise<Decision> {
    const named = payload.hook_event_name ?? event;
    if (named !== event) throw refuse("E_BRIDGE_PARAMS", { path: "payload.hook_event_name", found: typeof named });
    const watch = watchFor(event, asking);
    const { stdout } = await this.#seat.judge(adapterOf("native"), { ...payload, hook_event_name: event }, { watch });
    if (stdout === "") throw refuse("E_BRIDGE_EVENT", { found: event });
    return JSON.parse(stdout) as Decision; // the adapter's own line
  }

  async #list(): Promise<object> {
    const handlers = (await this.#seat.handlers()).map(listed);
    return { handlers };
  }
}

const METHODS = { initialize, "hook/dispatch": dispatch, "hook/list": z.unknown() };

function watchFor(event: string, { id, notify }: Asking): Watch {
  const call = id === undefined ? {} : { id };
  return {
    started: ({ handler, recheck }) => notify("hook/started", { ...call, event, handler, recheck }),
    completed: ({ handler }, end) => notify("hook/completed", { ...call, event, handler, ...end }),
  };
}

export function parsed<T>(schema: z.ZodType<T>, params: unknown): T {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  throw refuse("E_BRIDGE_PARAMS", { path: read.error.issues[0]?.path.join(".") ?? "" });
}
