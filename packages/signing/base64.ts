/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Strict: alphabet, padding and the zero bits at the end; anything else is `null`, so that one value has one spelling. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return encodeBase64(bytes) === text ? bytes : null;
}
