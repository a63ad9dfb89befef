import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { connect } from "node:tls";
import fc from "fast-check";
import { clientHello } from "./client-hello.ts";

/** What a TLS client really says first. */
async function helloOf(servername: string | undefined): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const server = createServer((socket) => socket.once("data", resolve)).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const client = connect({ host: "127.0.0.1", port, ...(servername === undefined ? {} : { servername }) });
  client.on("error", () => {});
  const bytes = await promise;
  client.destroy();
  server.close();
  return Uint8Array.from(bytes);
}

const real = await helloOf("API.example.com");
const record = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([22, 3, 1, bytes.length >> 8, bytes.length & 255]), bytes]);
const part = (size: 1 | 2 | 3, bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length.subarray(4 - size), bytes]);
};
const extension = (type: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), part(2, bytes)]);
const nameExtension = (...names: string[]) =>
  extension(
    0,
    part(
      2,
      Buffer.concat(names.map((name) => Buffer.concat([Buffer.from([0]), part(2, Buffer.from(name, "latin1"))]))),
    ),
  );
function made(...extensions: Uint8Array[]): Buffer {
  const body = [
    Buffer.from([3, 3]),
    Buffer.alloc(32),
    part(1, Buffer.alloc(0)),
    part(2, Buffer.from([19, 1])),
    part(1, Buffer.from([0])),
  ];
  return Buffer.concat([Buffer.from([1]), part(3, Buffer.concat([...body, part(2, Buffer.concat(extensions))]))]);
}

test("the name that a real client asks for", async () => {
  expect(clientHello(real)).toEqual({ is: "hello", name: "api.example.com", isEncrypted: false });
  expect(clientHello(await helloOf(undefined))).toMatchObject({ is: "hello", name: undefined });
  expect(clientHello(Buffer.concat([real, Buffer.from("more")]))).toMatchObject({ name: "api.example.com" });
});

test("any beginning of it needs more", () => {
  fc.assert(fc.property(fc.nat(real.length - 1), (n) => clientHello(real.subarray(0, n)).is === "more"));
});

test("in as many records as somebody likes", () => {
  const message = made(nameExtension("x.example"));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: message.length }), (size) => {
      const pieces = Array.from({ length: Math.ceil(message.length / size) }, (_, n) =>
        record(message.subarray(n * size, (n + 1) * size)),
      );
      expect(clientHello(Buffer.concat(pieces))).toEqual({ is: "hello", name: "x.example", isEncrypted: false });
    }),
  );
});

test("an encrypted hello is one", () => {
  const hello = record(made(nameExtension("x.example"), extension(0xfe0d, Buffer.alloc(8))));
  expect(clientHello(hello)).toEqual({ is: "hello", name: "x.example", isEncrypted: true });
});

test.each([
  ["plain HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["SSH", Buffer.from("SSH-2.0-OpenSSH\r\n")],
  ["another record", Buffer.from([23, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
  ["another handshake", record(Buffer.from([2, 0, 0, 1, 0]))],
  ["an empty record", Buffer.from([22, 3, 1, 0, 0, 22])],
  ["two names", record(made(nameExtension("x.example", "y.example")))],
  ["two lists of names", record(made(nameExtension("x.example"), nameExtension("y.example")))],
  ["a length that lies", record(Buffer.concat([Buffer.from([1, 0, 0, 4]), Buffer.alloc(4)]))],
])("%s is no hello", (_, bytes) => expect(clientHello(bytes)).toEqual({ is: "other" }));

test("any bytes have a result, and a turned sign never asks for another name unseen", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
      ["more", "other", "hello"].includes(clientHello(bytes).is),
    ),
  );
  fc.assert(
    fc.property(fc.nat(real.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const turned = Uint8Array.from(real);
      turned[at] = byte;
      expect(["more", "other", "hello"]).toContain(clientHello(turned).is);
    }),
  );
});
