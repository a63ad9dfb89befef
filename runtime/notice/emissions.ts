import type { HandlerName } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Engine } from "../request.ts";
import type { Emitted } from "./trigger.ts";

/** A handler of a notice may tell another one: so many in a row, and so many for all that one event of a host brings. */
export const MAX_EMIT_DEPTH = 4;
export const MAX_EMITTED_AN_EVENT = 100;

export type EmittedBy = Emitted & { by: HandlerName };

/** Notices that handlers told while an event was judged, until they are told themselves. `depth`: how many notices led to this event. */
export class Emissions {
  readonly #depth: number;
  readonly #counted: { all: number };
  #told: EmittedBy[] = [];

  constructor(depth = 0, counted = { all: 0 }) {
    this.#depth = depth;
    this.#counted = counted;
  }

  get isEmpty(): boolean {
    return this.#told.length === 0;
  }

  /** The same engine, whose handlers are heard. */
  heardFrom(engine: Engine): Engine {
    return {
      ...engine,
      run: (request, project) => {
        const run = engine.run(request, project);
        return (handler, call) => run(handler, { ...call, emit: (one) => this.#take({ ...one, by: handler.name }) });
      },
    };
  }

  /** All since the last time, in the order in which they were told. */
  take(): EmittedBy[] {
    return this.#told.splice(0);
  }

  /** For what handlers of these notices tell. */
  next(): Emissions {
    return new Emissions(this.#depth + 1, this.#counted);
  }

  #take(one: EmittedBy): void {
    if (this.#depth >= MAX_EMIT_DEPTH) throw refuse("E_EMIT_DEPTH", { name: one.name, max: MAX_EMIT_DEPTH });
    if (this.#counted.all >= MAX_EMITTED_AN_EVENT)
      throw refuse("E_EMIT_TOTAL", { name: one.name, max: MAX_EMITTED_AN_EVENT });
    this.#counted.all++;
    this.#told.push(one);
  }
}
