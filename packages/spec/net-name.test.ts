import { expect, test } from "bun:test";
import fc from "fast-check";
import { netName, netTarget } from "./net-name.ts";

test.each([
  ["API.Example.com", "api.example.com:443"],
  ["api.example.com:80", "api.example.com:80"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example:443"],
  ["localhost:3000", "localhost:3000"],
  ["127.0.0.1:3000", "127.0.0.1:3000"],
  ["[::1]:3000", "[::1]:3000"],
])("%s is %s", (text, wanted) => expect(netName(text)).toBe(wanted));

const ODD = [
  ..."0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001 127.1 127.0.1 10.0.0.1 8.8.8.8 1.2.3.4.5 169.254.169.254".split(
    " ",
  ),
  ..."[::] [::2] [::ffff:127.0.0.1] [::ffff:7f00:1] [fe80::1%25eth0] [0:0:0:0:0:0:0:1] ::1 [::1".split(" "),
  ..."example.com. example..com .example.com -a.example a-.example a@b.example a:b@c.example *.example.com".split(" "),
  ..."bücher.example ａpi.example.com api。example.com exa%6dple.com example.com%00.evil.example 0x".split(" "),
  ..."example.com:0 example.com:65536 example.com:080 example.com:+80 example.com:80: example.com:".split(" "),
  ...["", " ", "a b", "a\0b.example", "a\nb.example", "x.example\\", `${"a".repeat(64)}.example`],
];
test.each(ODD)("is no name of a host: %j", (text) => {
  expect([netName(text), netTarget(`https://${text}/`)]).toEqual([undefined, undefined]);
});

test.each([
  "ftp://x.example/",
  "file:///etc/passwd",
  "https:x.example",
  "https:/x.example/",
  "https:\\\\x.example/",
  "//x.example/",
  "https://x.example\\@y.example/",
  "https://x.example/\nhost: y",
  "https://x.example/a b",
  "git@x.example:a/b.git",
  "ssh://git@x.example/a",
  "x.example/a",
  "javascript:alert(1)",
  "data:text/plain,x",
  " https://x.example/",
])("is no place for a request: %j", (url) => expect(netTarget(url)).toBeUndefined());

test("a URL is what will be dialled", () => {
  const plain = { name: "x.example", path: "/a?b=%20" };
  expect(netTarget("https://X.example/a?b=%20#c")).toEqual({
    ...plain,
    net: "x.example:443",
    port: 443,
    tls: true,
    host: "x.example",
  });
  expect(netTarget("http://x.example:8080/a?b=%20")).toEqual({
    ...plain,
    net: "x.example:8080",
    port: 8080,
    tls: false,
    host: "x.example:8080",
  });
  expect(netTarget("https://x.example/a/../../b")?.path).toBe("/b");
});

test("what has a name has it as every URL parser reads it, and only once", () => {
  const sign = fc.constantFrom(..."abz019.-_:@[]%x/\\#? ");
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 20 }), (text) => {
      const name = netName(text);
      if (name === undefined) return;
      expect(netName(name)).toBe(name);
      const { hostname, port, username } = new URL(`https://${text}`);
      expect([`${hostname}:${port || "443"}`, username]).toEqual([name, ""]);
    }),
    { numRuns: 2000 },
  );
});
