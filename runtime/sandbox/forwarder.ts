import forward from "./forward.js" with { type: "text" };
import { type MemoryFile, OWN_ROOT, type Programs, WORKER_BINARY } from "./plan.ts";
import { noUnixFilter } from "./seccomp.ts";

const ADDRESS = "127.0.0.1:3128";
const GATEWAY = "/run/hookpkg/gateway.sock";
const PROXY = `http://${ADDRESS}`;

/** What programs look for; the forwarder itself runs as Bun, and takes that name away again. */
export const FORWARDER_ENV: Readonly<Record<string, string>> = {
  BUN_BE_BUN: "1",
  ...{ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, http_proxy: PROXY, https_proxy: PROXY },
};

/** Its own, beside those of the command: they are counted together. */
export const FORWARDER_THREADS = 32;

/** Where distributions keep the authorities that a host's name is proved by; never a folder with keys. */
const AUTHORITIES = [
  ...["/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf"],
  ...["/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted"],
];

/** Words before a command: what listens inside, speaks to the gateway, and ends with the command's own end. */
export function forwarderWords(): string[] {
  const options = ["--smol", "--no-env-file", "--config=/dev/null", "--no-install"];
  return [WORKER_BINARY, ...options, `${OWN_ROOT}/forward.js`, ADDRESS, GATEWAY, `${OWN_ROOT}/no-unix.bpf`];
}

export function forwarderFiles({ arch }: Programs): MemoryFile[] {
  return [
    { path: "forward.js", executable: false, bytes: new TextEncoder().encode(forward) },
    { path: "no-unix.bpf", executable: false, bytes: noUnixFilter(arch) },
  ];
}

/** The socket, and the authorities: without them no program can tell whom it speaks to. */
export function gatewayMounts(gateway: string): string[] {
  return [
    ...["--dir", "/run", "--dir", "/run/hookpkg", "--bind", gateway, GATEWAY],
    ...[
      "--dir",
      "/etc",
      "--dir",
      "/etc/ssl",
      "--dir",
      "/etc/pki",
      "--dir",
      "/etc/pki/tls",
      "--dir",
      "/etc/pki/ca-trust",
    ],
    ...["--dir", "/etc/ca-certificates"],
    ...AUTHORITIES.flatMap((path) => ["--ro-bind-try", path, path]),
  ];
}
