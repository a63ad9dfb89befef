import type { Home } from "../home.ts";
import type { NetOutside } from "../net/outside.ts";
import type { ModelClient } from "./client.ts";

/**
 * The model of the person's `config.json`, which is read anew for each request; nothing in the environment has a say in it. The client
 * throws E_MODEL_NONE where none is configured. `net`: the network outside; absent: the real one.
 */
export function personModel(home: Home, net?: NetOutside): ModelClient {
  return async (request) => {
    const { askPerson } = await import("./ask-person.ts"); // lazy: few handlers ask a model, and the SDK is large
    return await askPerson(home, request, net);
  };
}
