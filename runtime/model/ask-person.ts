import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { type NetOutside, REAL_NET } from "../net/outside.ts";
import type { ModelReply, ModelRequest } from "./client.ts";
import { askProvider } from "./provider.ts";
import { modelSettings } from "./settings.ts";

/** One request of the person's model, by what its settings are now. E_MODEL_…, E_STATE_…. */
export async function askPerson(home: Home, request: ModelRequest, net: NetOutside = REAL_NET): Promise<ModelReply> {
  const settings = modelSettings(home);
  if (settings === undefined) throw refuse("E_MODEL_NONE");
  return await askProvider(settings, request, net);
}
