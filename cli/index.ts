/** The public face of the command's workspace: the stations of its two routes, for the tests that cross workspaces. */

export { type Fetched, fetchLocal, fetchResolved, resolve } from "./install/fetch.ts";
export { type Installed, type InstallWorld, install } from "./install/install.ts";
export { type Placed, place, proposedLock } from "./install/place.ts";
export { type Known, type Verified, verify } from "./install/verify.ts";
export { parseWish, type Wish } from "./install/wish.ts";
export { type Loaded, load } from "./publish/load.ts";
export type { BoundRegistry } from "./registry/binding.ts";
export { seeCheckpoint } from "./registry/checkpoint.ts";
