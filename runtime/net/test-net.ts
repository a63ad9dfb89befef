import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Denials } from "./denials.ts";
import type { Net } from "./dial.ts";
import { type NetOutside, opened } from "./outside.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/net");
const read = (name: string) => readFileSync(join(FIXTURES, name), "utf8");
export const TEST_AUTHORITY = read("ca.pem");
export const TEST_TLS = { cert: read("server.pem"), key: read("server-key.pem") };
/** An address of the open internet, which the tests' network leads to this machine. */
export const PUBLIC = "93.184.216.34";

/**
 * For tests: names lead where the test says, once or each time anew, and every connection ends at a port of this machine. `places` are
 * ports by `address:port`, the address of declared loopback names among them.
 */
export function testNet(
  names: Readonly<Record<string, readonly string[] | (() => readonly string[])>>,
  places: Readonly<Record<string, number>>,
) {
  const [asked, dialled]: [string[], string[]] = [[], []];
  const outside: NetOutside = {
    async resolve(name) {
      asked.push(name);
      const found = names[name];
      if (found === undefined) throw new Error("ENOTFOUND");
      return typeof found === "function" ? found() : found;
    },
    async connect(place, signal) {
      const key = `${place.address}:${place.port}`;
      dialled.push(key);
      const port = places[key];
      if (port === undefined) throw new Error("ECONNREFUSED");
      return opened(place, signal, { trust: TEST_AUTHORITY, at: { host: "127.0.0.1", port } });
    },
  };
  return { outside, asked, dialled };
}

export function netOf(outside: NetOutside, ...allowed: string[]): Net {
  return { allowed, denied: new Denials(), outside };
}
