import { type HandlerView, homeFolders, type OrderChange } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { approvalView } from "./approval-view.ts";
import { byIdentity, byOrder } from "./approve-by-key.ts";
import { byName } from "./approve-by-name.ts";
import { list } from "./approve-list.ts";
import { type Approved, approvedNow } from "./approved-now.ts";
import { refuseInside } from "./inside-host.ts";
import { orderWaits } from "./order-page.ts";
import { askable, askedIdentity, dropCommand, isDropped, openTrust, projectOptions } from "./project-trust.ts";
import { mendedTrust } from "./start-over.ts";

/** Looks at what waits; decides about it at a terminal, or by a key that was made for scripts. */
export async function run(call: Call): Promise<Approved | Done<CommandData["approve --list"]>> {
  const mode = modeOf(call);
  if (mode === "list") return list(call, await openTrust(call));
  if (mode === "identity") return byIdentity(call, await openTrust(call));
  if (mode === "order") return byOrder(call, await openTrust(call));
  refuseInside(call, homeFolders(call.home));
  if (mode === "names") return byName(call, await openTrust(call));
  const found = await openTrust(call);
  const trust = await mendedTrust(call, found);
  if (trust === undefined) return approvedNow(call, found, { approved: [], rejected: [] });
  const waiting = askable(call, trust, call.args);
  const order = call.args.length === 0 ? orderWaits(trust.view.order) : undefined;
  if (waiting.length === 0 && order === undefined) return approvedNow(call, trust, { approved: [], rejected: [] });
  if (!call.terminal.interactive)
    throw refuse("E_NO_TERMINAL", { waiting: waiting.length + (order ? 1 : 0), instead: instead(waiting, order) });
  return approvedNow(call, trust, await approvalView(call, trust, call.args));
}

type Mode = "list" | "identity" | "order" | "names" | "view";

/** One way at a time. `--yes` never approves: nobody would have looked. */
function modeOf({ args, flags }: Call): Mode {
  const asked: Mode[] = [];
  if (flags.on("list")) asked.push("list");
  if (flags.texts("identity").length > 0) asked.push("identity");
  if (flags.text("order") !== undefined) asked.push("order");
  if (flags.texts("reject").length + flags.texts("drop").length > 0) asked.push("names");
  const [mode = "view", other] = asked;
  if (flags.on("yes")) throw refuse("E_USAGE", { found: "--yes", expected: "an approval is never taken for granted" });
  if (other) throw refuse("E_USAGE", { expected: "one of --list, --identity, --order, or --reject and --drop" });
  if (args.length > 0 && mode === "names") throw refuse("E_USAGE", { found: args[0] ?? "", expected: "no other name" });
  if (flags.texts("options").length > 0 && mode !== "identity")
    throw refuse("E_USAGE", { found: "--options", expected: "--identity, too" });
  if ((mode === "identity" || mode === "order") && flags.text("key") === undefined)
    throw refuse("E_USAGE", { expected: "--key FILE, too" });
  return mode;
}

/** What a script would have to say to approve all that waits. */
function instead(waiting: readonly HandlerView[], order: OrderChange | undefined): string {
  const byOrder = order === undefined ? [] : [`hookpkg approve --order ${order.digest} --key FILE`];
  const identities = [...new Set(waiting.filter((one) => one.proposed).map(askedIdentity))];
  const options = [...new Set(waiting.flatMap((one) => projectOptions(one) ?? []))];
  const words = [...identities.map((each) => `--identity ${each}`), ...options.map((each) => `--options ${each}`)];
  const byIdentities = `hookpkg approve ${words.join(" ")} --key FILE`;
  const drops = waiting.filter(isDropped).map(dropCommand);
  return [...(identities.length > 0 ? [byIdentities] : []), ...byOrder, ...drops].join("; ");
}
