import { lstatSync } from "node:fs";
import type { Outcome } from "@hookpkg/spec";
import { rightFor, type Standing } from "./right-for.ts";

const MAX_HINTS = 5;
const MAX_TEXT = 20_000;

/**
 * Why a handler that failed may have failed: what it says about files and hosts, held against its rights. A guess, and worded as one: what
 * is not mounted is simply absent inside, and nobody outside sees the attempt. `hookpkg test --trace` sees it.
 */
export function hintsFor(outcome: Outcome, standing: Standing): string[] {
  if (outcome.outcome !== "failed" && outcome.outcome !== "late") return [];
  const text = `${outcome.stderr ?? ""}\n${outcome.detail ?? ""}`.slice(0, MAX_TEXT);
  return [...new Set(text.split("\n").flatMap((line) => hintIn(line, standing)))].slice(0, MAX_HINTS);
}

function hintIn(line: string, standing: Standing): string[] {
  if (PROGRAM.test(line)) return ["perhaps a program: a module starts none, a command does"];
  if (HOST.test(line) && standing.capabilities.net.length === 0)
    return ['perhaps the network: would be given by "net": ["HOST:PORT"]'];
  const error = ERRORS.find(([words]) => words.test(line))?.[1];
  const path = error === undefined ? undefined : pathIn(line);
  if (error === undefined || path === undefined || (error === "ENOENT" && !isOutside(path))) return [];
  const right = rightFor({ path, writes: error === "EROFS" || WRITES.test(line) }, standing);
  return [`perhaps ${path} (${error})${right === null ? "" : `: would be given by ${right}`}`];
}

const ERRORS = [
  [/no such file or directory|\bENOENT\b/i, "ENOENT"],
  [/permission denied|\bEACCES\b/i, "EACCES"],
  [/read-only file system|\bEROFS\b/i, "EROFS"],
  [/operation not permitted|\bEPERM\b/i, "EPERM"],
] as const;
const HOST =
  /could not resolve|name resolution|address family not supported|\bEAFNOSUPPORT\b|\bEAI_AGAIN\b|network is unreachable|\bENETUNREACH\b|unable to connect|FailedToOpenSocket/i;
const PROGRAM = /(posix_spawn|\bspawn).*\b(EPERM|EACCES)\b|\b(EPERM|EACCES)\b.*(posix_spawn|\bspawn)/;
const WRITES = /cannot create|\b(mkdir|unlink|rename|rmdir|touch|rm|mv|cp|tee)\b/;

/** The last absolute path of a line that is not of the sandbox's own making: before it stands who speaks. */
function pathIn(line: string): string | undefined {
  const quoted = [...line.matchAll(/(['"`‘])(\/[^'"`’]+)['"`’]/g)].map((match) => match[2] ?? "");
  const bare = [...line.matchAll(/(?:^|[\s:=(])(\/[^\s:'",)]+)/g)].map((match) => match[1] ?? "");
  return [...bare, ...quoted].filter((path) => !OWN.test(path)).at(-1);
}

const OWN = /^\/(plugin|data|proc|sys|dev|usr|bin|sbin|lib\w*|opt\/hookpkg)(\/|$)/;

function isOutside(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // not ours to look at
  }
}
