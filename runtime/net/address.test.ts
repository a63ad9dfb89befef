import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { reachOf } from "./address.ts";

test.each(
  "8.8.8.8 93.184.216.34 1.1.1.1 172.15.255.255 172.32.0.1 100.63.0.1 100.128.0.1 2606:2800:220:1::1 2a00:1450:4001::1 2003::1".split(
    " ",
  ),
)("the open internet: %s", (address) => expect(reachOf(address)).toBe("public"));

test.each("127.0.0.1 127.1.2.3 127.255.255.255 ::1 0:0:0:0:0:0:0:1".split(" "))("this machine: %s", (address) =>
  expect(reachOf(address)).toBe("loopback"),
);

const CLOSED: [string, string][] = [
  ["this network", "0.0.0.0 0.1.2.3"],
  ["private", "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255"],
  ["carrier-grade NAT", "100.64.0.1 100.127.255.255 100.100.100.200"],
  ["link-local", "169.254.0.1 fe80::1 fe80::1%eth0 febf::1"],
  ["metadata of clouds", "169.254.169.254 169.254.170.2 168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254"],
  ["documentation and benchmarks", "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 2001:db8::1 3fff::1"],
  ["relays of 6to4", "192.88.99.1 192.88.99.2"],
  ["multicast, reserved, broadcast", "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1 ff0e::1"],
  ["unspecified", "::"],
  ["unique local", "fc00::1 fd12:3456::1 fdff::1"],
  [
    "mapped and compatible IPv4",
    "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:10.0.0.1 ::127.0.0.1 ::7f00:1 ::ffff:0:127.0.0.1 ::0.0.0.1",
  ],
  ["NAT64", "64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1"],
  ["tunnels", "2002:7f00:1::1 2002:0a00:0001:: 2001::1 2001:0:4136:e378::1 2001:10::1 2001:20::1"],
  ["site-local, discard, other", "fec0::1 100::1 5f00::1 4000::1 1::1"],
  [
    "odd forms",
    "0x7f.1 0x7f000001 0177.0.0.1 2130706433 127.1 127.0.1 017700000001 127.0.0.1. 1.2.3 1.2.3.4.5 0x8.8.8.8 08.8.8.8",
  ],
  ["no addresses", "localhost [::1] ::1%lo 8.8.8.8:80 8.8.8.8/8 １２７.0.0.1"],
];
for (const [kind, addresses] of CLOSED)
  test.each(addresses.split(" "))(`${kind}: %s`, (address) => expect(reachOf(address)).toBe("closed"));
test("no text at all", () =>
  expect([reachOf(""), reachOf(" 8.8.8.8"), reachOf("8.8.8.8\0")]).toEqual(Array(3).fill("closed")));

test("an IPv4 address has one reach, and never another by being written as IPv6", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const plain = bytes.join(".");
      const hex = `${((bytes[0] << 8) | bytes[1]).toString(16)}:${((bytes[2] << 8) | bytes[3]).toString(16)}`;
      for (const form of [`::ffff:${plain}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`, `::ffff:0:${plain}`])
        expect(reachOf(form)).toBe("closed");
      const [a, b] = bytes;
      const isInner =
        a === 10 || (a === 192 && b === 168) || (a === 172 && b >= 16 && b < 32) || (a === 169 && b === 254);
      if (isInner || a === 0 || a >= 224) expect(reachOf(plain)).toBe("closed");
      if (a === 127) expect(reachOf(plain)).toBe("loopback");
    }),
  );
});

test("only addresses in their own spelling are open", () => {
  fc.assert(fc.property(fc.string({ maxLength: 20 }), (text) => isIP(text) !== 0 || reachOf(text) === "closed"));
});
