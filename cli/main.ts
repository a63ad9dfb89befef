#!/usr/bin/env -S bun --config=/dev/null --no-env-file --no-install
import { fromDaemon } from "./host/from-daemon.ts";

// Hosts start this on every event: what the daemon can answer loads nothing of the program.
const argv = process.argv.slice(2);
const { stdin } = argv[0] === "run" ? await fromDaemon(argv, process.env) : {};
const { main } = await import("./program.ts");
process.exitCode = await main(argv, process.env, stdin);
