/**
 * A host and port in the one spelling in which they are declared, compared and dialled: lower case, port written. undefined: the text has
 * no such spelling. Addresses have none, in whatever form (hex, octal, one number), but for the machine's own, which has three names.
 */
export function netName(text: string, defaultPort = 443): string | undefined {
  if (text.length > MAX_NAME + 6) return undefined;
  const [, host = "", digits] = /^(\[::1\]|[^:[\]]*)(?::([1-9]\d{0,4}))?$/.exec(text.toLowerCase()) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port > 65_535 || !(LOOPBACK_NAMES.has(host) || isDnsName(host))) return undefined;
  return `${host}:${port}`;
}

/** Names that are allowed to lead to this machine, when they are declared. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where a request goes. `net` is what must be declared; `host` the Host header; `path` what follows the authority. */
export type NetTarget = { net: string; name: string; port: number; tls: boolean; host: string; path: string };

/**
 * A URL as what will be dialled. The authority is read as it stands: what URL parsers would put right (userinfo, other forms of an
 * address, a trailing dot, letters that look alike) is no name of ours. undefined for all that, and for other schemes.
 */
export function netTarget(url: string): NetTarget | undefined {
  const [, scheme = "", authority = ""] = /^(https?):\/\/([^/?#\\\s]+)(?:[/?#]|$)/i.exec(url) ?? [];
  const tls = scheme.toLowerCase() === "https";
  const usual = tls ? 443 : 80;
  const net = authority === "" || hasControls(url) ? undefined : netName(authority, usual);
  if (net === undefined || !URL.canParse(url)) return undefined;
  const at = net.lastIndexOf(":");
  const [name, port] = [net.slice(0, at), Number(net.slice(at + 1))];
  const { pathname, search } = new URL(url);
  return { net, name, port, tls, host: port === usual ? name : net, path: `${pathname}${search}` };
}

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Every resolver reads a last label that is a number as the end of an address. */
function isDnsName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return host.length <= MAX_NAME && labels.every((label) => LABEL.test(label)) && !/^(\d+|0x[0-9a-f]*)$/.test(last);
}

function hasControls(text: string): boolean {
  return /[\u0000-\u0020\u007f]/.test(text);
}
