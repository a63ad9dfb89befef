import {
  type Capabilities,
  canonicalText,
  foldPlaceholders,
  type Handler,
  type Identity,
  type LayerSpec,
  type Matcher,
  type NormalForm,
  type PackageSpec,
  type PermissionRule,
  type Run,
  type Sha256,
  sha256,
  sorted,
} from "@hookpkg/spec";
import { type ClosureFile, closureOf } from "./closure.ts";

/** What a handler's package adds to its declaration. */
export type Surroundings = { capabilities: Capabilities; requires: readonly string[]; closure: Sha256 };

export type HandlerIdentity = { id: string; identity: Identity; normalForm: NormalForm };

/** The defaults are frozen under this name: a changed default is another domain. */
const DOMAIN = "hookpkg-handler-v1\n";

/** `hk1:` and the base64url SHA-256 of the domain and the canonical normal form. */
export function identityOf(normalForm: NormalForm): Identity {
  const digest = sha256(DOMAIN + canonicalText(normalForm));
  return `hk1:${Buffer.from(digest.slice("sha256:".length), "hex").toString("base64url")}`;
}

/** Identity of every handler of a parsed package or layer, in its order. `files`: all its files; those that don't count are left out here. */
export function identitiesOf(pkg: PackageSpec | LayerSpec, files: Iterable<ClosureFile>): HandlerIdentity[] {
  const { capabilities, requires } = "manifest" in pkg ? pkg.manifest : pkg;
  const closure = closureOf(files, "manifest" in pkg ? "package" : "layer");
  const surroundings = { capabilities, requires: requires.programs, closure };
  return pkg.handlers.map((handler) => {
    const form = normalForm(handler, surroundings);
    return { id: handler.id, identity: identityOf(form), normalForm: form };
  });
}

/** Everything that changes what a handler does, in one spelling. Idempotent; what runs is what stands here. */
export function normalForm(handler: Handler, { capabilities, requires, closure }: Surroundings): NormalForm {
  return {
    v: 1,
    event: handler.event,
    matcher: normalMatcher(handler.matcher),
    if: normalRules(handler.if),
    run: normalRun(handler.run),
    may: sorted(handler.may),
    timeoutMs: handler.timeoutMs,
    failMode: handler.failMode,
    once: handler.once,
    async: handler.async,
    answers: handler.answers,
    outputLimit: handler.outputLimit,
    before: sorted(handler.before),
    after: sorted(handler.after),
    capabilities: normalCapabilities(capabilities),
    requires: sorted(requires),
    closure,
  };
}

function normalMatcher(matcher: Matcher): Matcher {
  if (matcher === null) return null;
  return "names" in matcher ? { names: sorted(matcher.names) } : { re2: matcher.re2 };
}

function normalRules(rules: readonly PermissionRule[]): PermissionRule[] {
  const bySpelling = new Map(rules.map(({ tool, pattern }) => [canonicalText([tool, pattern]), { tool, pattern }]));
  return sorted([...bySpelling.keys()]).flatMap((spelling) => bySpelling.get(spelling) ?? []);
}

function normalRun(run: Run): Run {
  if (run.type === "module") return { type: "module", path: run.path, export: run.export, isolate: run.isolate };
  if (run.type === "service") return { type: "service", argv: run.argv.map(foldPlaceholders) };
  if (run.type === "http") {
    const headers = Object.entries(run.headers).map(([name, template]) => [name.toLowerCase(), template]);
    return { type: "http", url: foldPlaceholders(run.url), method: "POST", headers: Object.fromEntries(headers) };
  }
  if (run.type === "prompt" || run.type === "agent") return { type: run.type, prompt: run.prompt, model: run.model };
  if ("argv" in run) return { type: "command", argv: run.argv.map(foldPlaceholders) };
  return { type: "command", shell: foldPlaceholders(run.shell) };
}

function normalCapabilities(rights: Capabilities): Capabilities {
  return {
    project: rights.project,
    read: sorted(rights.read),
    write: sorted(rights.write),
    net: sorted(rights.net),
    env: sorted(rights.env),
    model: rights.model,
    limits: { memoryMiB: rights.limits.memoryMiB, dataMiB: rights.limits.dataMiB },
  };
}
