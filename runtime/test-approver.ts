import { readFileSync } from "node:fs";
import { openKey } from "@hookpkg/signing";
import { approve, drop } from "./gate/approve.ts";
import { readProposals } from "./gate/proposals.ts";
import { homeFolders } from "./home.ts";
import { REAL_OUTSIDE } from "./outside.ts";
import { registerProject } from "./person/projects.ts";

/** For tests that kill: approves and drops everything that is proposed, again and again, until it is killed. */
const [, , base = "", root = "", keyFile = ""] = process.argv;
const home = homeFolders(base);
const project = await registerProject(home, root);
const signer = await openKey(readFileSync(keyFile), null);
const note = { how: "terminal", by: "tester", at: "2030-01-01T00:00:00Z" } as const;
console.log("begin");
for (let round = 0; ; round++) {
  const { proposals } = await readProposals(home, project);
  const wanted = proposals.map(({ name, identity }) => ({ handler: name, identity, decided: "approved" as const }));
  await approve(home, project, wanted, { signer, note, outside: REAL_OUTSIDE });
  if (round === 0) console.log("ready");
  await drop(
    home,
    project,
    wanted.map(({ handler }) => handler),
    { signer, outside: REAL_OUTSIDE },
  );
}
