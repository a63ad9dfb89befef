const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Decodes the backslash escapes of `printf`, `echo -e` and `$'…'`. Those that bash does not know stay as they are. */
export function unescaped(text: string): string {
  const sequences = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([\s\S]))/g;
  return text.replace(
    sequences,
    (whole, hex?: string, short?: string, long?: string, octal?: string, sign?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return signOf(Number.parseInt(digits, 16));
      if (octal !== undefined) return signOf(Number.parseInt(octal, 8) & 0xff);
      return SIMPLE[sign ?? ""] ?? whole;
    },
  );
}

function signOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
