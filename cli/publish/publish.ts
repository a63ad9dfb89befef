import { pack } from "@hookpkg/archive";
import { passOwnCases } from "../author/cases.ts";
import type { Call } from "../command.ts";
import { openDesk } from "./desk.ts";
import { load } from "./load.ts";
import { sign } from "./sign.ts";
import { type Uploaded, upload, uploadedBefore } from "./upload.ts";

/**
 * The route of one package, stations 1 to 4 (ARCHITECTURE.md): folder → files → archive → signed statement → registry. Its
 * own cases must pass here, because the registry never runs a package's code. The registry goes on with station 5.
 */
export async function publish(call: Call, dir: string): Promise<Uploaded> {
  const loaded = await load(dir);
  await passOwnCases(loaded, call);
  const packed = pack(loaded.files);
  const desk = await openDesk(call, loaded.spec.manifest.name);
  const before = await uploadedBefore(packed, loaded, desk);
  if (before) return before;
  const signed = await sign(packed, loaded, desk);
  return upload(signed, desk);
}
