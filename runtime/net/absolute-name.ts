import { LOOPBACK_NAMES } from "@hookpkg/spec";

/** Variables by which the system's resolver asks for another name than it was given: its own domain, or what a file of names says. */
const STEERING = /^(LOCALDOMAIN|RES_OPTIONS|HOSTALIASES)=/;

/**
 * A name as the resolver is to be asked for it. `environ`: the process's own, as the kernel has it and the resolver reads it. Where that
 * would lead a name elsewhere, which a project can do to hooks, the name is said to be whole; then a line of `/etc/hosts` for it does not count.
 */
export function absoluteName(name: string, environ: string): string {
  const isSteered = environ.split("\0").some((each) => STEERING.test(each));
  return isSteered && !LOOPBACK_NAMES.has(name) && !name.endsWith(".") ? `${name}.` : name;
}
