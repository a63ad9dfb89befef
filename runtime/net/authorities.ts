import { closeSync, realpathSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { openRegular, readAtMost } from "../person/regular-file.ts";

/** Where systems keep what their administrator trusts: Debian, Fedora, SUSE, Alpine. */
const BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];
const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022;

let known: SecureContext | undefined;

/**
 * Whom TLS believes: the authorities that this program brings and those of the machine's administrator, read once. Without it the
 * environment would have a say (`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`, `SSL_CERT_DIR`), and a project can set that for hooks.
 */
export function authorities(): SecureContext {
  known ??= contextOf(systemBundle());
  return known;
}

function contextOf(bundle: string | undefined): SecureContext {
  try {
    return createSecureContext({ ca: [...rootCertificates, ...(bundle === undefined ? [] : [bundle])] });
  } catch (error) {
    if (bundle === undefined) throw error;
    return contextOf(undefined); // one broken certificate of the system's must not end all that goes out
  }
}

function systemBundle(): string | undefined {
  for (const path of BUNDLES) {
    const text = ofRoot(path);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A file that only root can change; whatever else there is, is none of the machine's. */
function ofRoot(path: string): string | undefined {
  try {
    const { fd, stat } = openRegular(realpathSync(path));
    try {
      if (stat.uid !== 0 || (stat.mode & OTHERS_MAY_WRITE) !== 0) return undefined;
      return new TextDecoder().decode(readAtMost(fd, MAX_BUNDLE_BYTES));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // another system's place
  }
}
