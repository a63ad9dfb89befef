/**
 * The first bytes of a TLS connection: which name its client asks for. `more` bytes are needed; `other`: this is not TLS. A hello whose
 * name is encrypted says nothing that could be checked.
 */
export type Hello = { is: "more" } | { is: "other" } | { is: "hello"; name: string | undefined; isEncrypted: boolean };

export const MAX_HELLO_BYTES = 64 * 1024;

export function clientHello(bytes: Uint8Array): Hello {
  try {
    return helloOf(handshakeOf(new Reader(bytes)));
  } catch (error) {
    if (error instanceof Short) return bytes.byteLength > MAX_HELLO_BYTES ? OTHER : { is: "more" };
    return OTHER;
  }
}

const OTHER: Hello = { is: "other" };
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;
const MAX_RECORD_BYTES = 16_384;

class Short extends Error {}

class Reader {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}
  get left(): number {
    return this.bytes.byteLength - this.at;
  }
  number(size: 1 | 2 | 3): number {
    return this.take(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }
  take(size: number): Uint8Array {
    if (this.left < size) throw new Short();
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
  /** A part with its length before it. */
  part(size: 1 | 2 | 3): Reader {
    return new Reader(this.take(this.number(size)));
  }
}

/** The first handshake message, which may lie in several records. */
function handshakeOf(records: Reader): Uint8Array {
  let message: Uint8Array = new Uint8Array();
  for (;;) {
    if (records.number(1) !== HANDSHAKE || records.number(1) !== 3) throw new Error("not a handshake");
    records.number(1);
    const size = records.number(2);
    if (size === 0 || size > MAX_RECORD_BYTES) throw new Error("not a record");
    if (message.byteLength === 0 && records.left > 0 && records.bytes[records.at] !== CLIENT_HELLO)
      throw new Error("not a hello");
    message = Buffer.concat([message, records.take(size)]);
    if (message.byteLength < 4) continue;
    const whole = 4 + new Reader(message.subarray(1, 4)).number(3);
    if (message.byteLength >= whole) return message.subarray(4, whole);
  }
}

function helloOf(message: Uint8Array): Hello {
  try {
    const hello = new Reader(message);
    hello.take(2 + 32);
    hello.part(1);
    hello.part(2);
    hello.part(1);
    const extensions = hello.part(2);
    let name: string | undefined;
    let isEncrypted = false;
    while (extensions.left > 0) {
      const type = extensions.number(2);
      const extension = extensions.part(2);
      if (type === ENCRYPTED_HELLO) isEncrypted = true;
      if (type !== SERVER_NAME) continue;
      if (name !== undefined) return OTHER;
      name = nameOf(extension);
    }
    return { is: "hello", name, isEncrypted };
  } catch {
    return OTHER; // the message is whole: what is too short in it is wrong
  }
}

function nameOf(extension: Reader): string {
  const names = extension.part(2);
  if (names.number(1) !== 0) throw new Error("no host name");
  const name = new TextDecoder("latin1").decode(names.part(2).bytes);
  if (names.left > 0) throw new Error("more than one name");
  return name.toLowerCase();
}
