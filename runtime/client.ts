// The second face of this room: what a host's event needs to be handed to the daemon, and nothing that judges. Hosts start hookpkg on
// every event; the index would load the whole engine.
export { ownProgram } from "./daemon/build.ts";
export { askDaemon, type DaemonReply, startDaemon } from "./daemon/client.ts";
export { homeFolders } from "./home.ts";
