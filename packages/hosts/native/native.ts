import { foldEvent } from "@hookpkg/spec";
import type { HostAdapter } from "../adapter.ts";
import { eventName, hostObject, served, unserved } from "../host-input.ts";
import { refusal, said } from "../reply.ts";

/** Embedders that speak hookpkg's own form (wire.md §4): canonical names in, the whole decision out. */
export const native: HostAdapter = {
  name: "native",
  markers: [],
  read(input) {
    const raw = hostObject(input);
    const event = foldEvent(eventName(raw));
    return event
      ? served("native", event, raw, (tool, shape) => ({ tool, input: shape }))
      : unserved("native", eventName(raw), raw);
  },
  write: (_, { v, decision, reason, patch, context, person, forced, handlers }) =>
    said({ v, decision, reason, patch, context, person, forced, handlers }),
  refuse: (event, reason) => refusal(event, reason),
};
