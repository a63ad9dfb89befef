import { existsSync } from "node:fs";
import { type Home, sandboxOf } from "@hookpkg/runtime";
import { adviceFor } from "../advice.ts";
import { broken, type Check, works } from "./check.ts";

/** The same places where the sandbox looks. */
const BWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];

export async function sandboxChecks(home: Home): Promise<Check[]> {
  return [bubblewrap(), await selfTest(home)];
}

function bubblewrap(): Check {
  const path = BWRAP.find((place) => existsSync(place));
  if (path === undefined) return broken("bubblewrap", `not in ${BWRAP.join(", ")}`, "apt-get install bubblewrap");
  try {
    const asked = Bun.spawnSync([path, "--version"], { env: {}, stdin: "ignore", stderr: "pipe" });
    if (asked.exitCode === 0) return works("bubblewrap", `${path}, ${asked.stdout.toString().trim().slice(0, 100)}`);
    return broken("bubblewrap", `${path} ends with ${asked.exitCode}`, "apt-get install --reinstall bubblewrap");
  } catch {
    return broken("bubblewrap", `${path} cannot be started`, "apt-get install --reinstall bubblewrap");
  }
}

/** The real profiles with canaries, as before the first handler of a boot. */
async function selfTest(home: Home): Promise<Check> {
  const sandbox = await sandboxOf(home, process.execPath);
  if (sandbox.available) return works("sandbox", `holds, tried as ${sandbox.host.mode.kind}`);
  const { code, message, facts } = sandbox.fault;
  return broken(
    "sandbox",
    `${message} [${code}] ${JSON.stringify(facts).slice(0, 300)}`,
    adviceFor(code) ?? `hookpkg explain ${code}`,
  );
}
