import { type Later, patienceFor, runAfterwards } from "../afterwards.ts";
import { attempt } from "../containment.ts";
import type { Approved } from "../gate/runnable.ts";
import type { Engine, Request } from "../request.ts";
import type { Emissions } from "./emissions.ts";
import { tellNotices } from "./tell-notice.ts";

/** `handlers`: everything approved where the event happened. */
export type Left = Later & { emissions: Emissions; handlers: readonly Approved[] };

/** Observers and the handlers of notices, then what handlers of this event told. Nothing of it can change the decision any more. */
export async function leaveForLater(request: Request, engine: Engine, left: Left): Promise<void> {
  const { emissions, handlers, ...later } = left;
  const entries = later.entries.filter(({ aside }) => aside === "later");
  if (entries.length === 0 && emissions.isEmpty) return;
  const asked = entries.flatMap(({ gated }) => (gated.kind === "runnable" ? [gated] : []));
  const names = [...asked, ...handlers.filter(hearsEmitted)].flatMap((each) => each.normalForm.capabilities.env);
  await attempt(async () => engine.prepare?.([...new Set(names)]), undefined);
  const work = async () => {
    const patience = patienceFor(request.payload.hook_event_name, request.stays ?? false);
    const run = () => runAfterwards(request, emissions.heardFrom(engine), { ...later, entries }, { patience });
    if (entries.length > 0) await attempt(run, []);
    const told = emissions.take();
    await attempt(() => tellNotices(told, request, engine, { found: later.found, emissions, patience }), undefined);
  };
  if (request.after) request.after(work);
  else void work();
}

function hearsEmitted({ normalForm }: Approved): boolean {
  return normalForm.event.startsWith("custom.");
}
