import { isFault } from "@hookpkg/fault";
import { refuse } from "./faults.ts";
import { decodeUtf8 } from "./json.ts";

/** The one TOML door: fatal UTF-8 and size checked. E_TOML for what is none, and for what is nested more deeply than the parser goes. */
export function parseToml(bytes: Uint8Array, { maxBytes }: { maxBytes: number }): unknown {
  if (bytes.byteLength > maxBytes) throw refuse("E_JSON_TOO_LARGE", { bytes: bytes.byteLength, maxBytes });
  try {
    return Bun.TOML.parse(decodeUtf8(bytes));
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw refuse("E_TOML", { found: String(cause).slice(0, 200) }, cause);
  }
}
