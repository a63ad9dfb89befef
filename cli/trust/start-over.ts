import { readApprovals, startOver } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { askChoice, staysDone } from "../prompt.ts";
import { approverKey } from "./approver-key.ts";
import { pageLines } from "./page.ts";
import { lookAt, type ProjectTrust } from "./project-trust.ts";

/**
 * Where the approvals cannot be read everything that they guarded is held, and nothing can be added to them. A person may begin
 * anew with an empty set; what was held is then held no more, so it takes their key and later comes first. Undefined: nothing can be approved now.
 */
export async function mendedTrust(call: Call, trust: ProjectTrust): Promise<ProjectTrust | undefined> {
  const { home, place } = trust;
  const read = await readApprovals(home);
  if (read.read !== "unreadable" || !call.terminal.interactive) return trust;
  const said = `Your approvals cannot be read [${read.why}]: what they guard is held until they are restored.`;
  for (const line of pageLines(said)) call.terminal.note(line);
  const choice = await askChoice(call.terminal, { text: "Begin anew?", flag: "a terminal" }, [
    { value: "later", label: "later: it stays held" },
    { value: "anew", label: "begin anew: nothing is approved any more, in any project, and nothing is held" },
  ]);
  if (choice === "later") return undefined;
  await startOver(home, await approverKey(call, home));
  staysDone("your approvals were begun anew");
  return lookAt(home, place.root);
}
