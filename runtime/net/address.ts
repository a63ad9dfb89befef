import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Where an address is: on this machine, in the open internet, or nowhere that a handler has business. */
export type Reach = "loopback" | "public" | "closed";

/**
 * IPv4 that is not the open internet (IANA's special registries): this network, private, carrier-grade NAT, link-local with the clouds'
 * metadata, protocol assignments, documentation, relays, benchmarks, multicast, reserved, broadcast; and Azure's and Alibaba's own.
 */
const CLOSED_4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3";
/** Of IPv6 only this is handed out; mapped, NAT64, unique local, link-local and multicast addresses are all outside it. */
const OPEN_6 = "2000::/3";
/** And in it: Teredo and other protocol assignments, documentation, 6to4, which hides an IPv4 address. */
const CLOSED_6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

/** The one rule about addresses. Anything that is not plainly written is closed. */
export function reachOf(address: string): Reach {
  if (isIPv4(address)) return address.startsWith("127.") ? "loopback" : closed4.check(address) ? "closed" : "public";
  if (!isIPv6(address) || address.includes("%")) return "closed";
  if (loopback6.check(address, "ipv6") && !address.includes(".")) return "loopback";
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6") ? "public" : "closed";
}

const closed4 = listOf(CLOSED_4, "ipv4");
const closed6 = listOf(CLOSED_6, "ipv6");
const open6 = listOf(OPEN_6, "ipv6");
const loopback6 = listOf("::1/128", "ipv6");

function listOf(subnets: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(" ")) {
    const [prefix = "", bits] = subnet.split("/");
    list.addSubnet(prefix, Number(bits), family);
  }
  return list;
}
