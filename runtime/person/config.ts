import { join } from "node:path";
import { type Config, configSchema } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readState, writeState } from "./state-file.ts";

const EMPTY: Config = { v: 1, options: {} };

/** A person's own settings; absent means none. */
export function readConfig(home: Home): Config {
  return readState(configSchema, configFile(home)) ?? EMPTY;
}

export function writeConfig(home: Home, config: Config): void {
  writeState(home, configFile(home), config);
}

function configFile(home: Home): string {
  return join(home.config, "config.json");
}
