import type { Capabilities } from "./capability.ts";
import type { Handler, Run } from "./handler.ts";
import type { HandlerEntry } from "./hooks-file.ts";
import { netTarget } from "./net-name.ts";
import { foldPlaceholders, placeholderMisses } from "./placeholder.ts";
import { type Problem, problem } from "./problem.ts";

type HttpRun = Extract<Run, { type: "http" }>;

/** Headers that say how a message is framed, routed or kept are ours. */
const OUR_HEADERS = new Set(
  "host content-length content-type connection keep-alive transfer-encoding te trailer upgrade expect accept-encoding".split(
    " ",
  ),
);
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g;

/** An http handler as it is declared, header names folded; what is wrong with it goes to `problems`. */
export function httpRun(
  { url, headers = {} }: Extract<HandlerEntry, { type: "http" }>,
  path: string,
  problems: Problem[],
): HttpRun | undefined {
  const before = problems.length;
  for (const { found, meant } of placeholderMisses(url, "data"))
    problems.push(problem("E_PLACEHOLDER", `${path}.url`, found, meant));
  if (problems.length === before && (netTarget(url) === undefined || url.includes("#")))
    problems.push(problem("E_HTTP_URL", `${path}.url`, url.slice(0, 200)));
  const folded = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  for (const [n, [name, value]] of folded.entries())
    if (isOurHeader(name) || !isPlain(value) || folded.findIndex(([other]) => other === name) !== n)
      problems.push(problem("E_HTTP_HEADER", `${path}.headers.${name}`));
  if (problems.length > before) return undefined;
  return { type: "http", url: foldPlaceholders(url), method: "POST", headers: Object.fromEntries(folded) };
}

/** What it sends, and where, must be among the package's rights. */
export function httpProblems({ run }: Handler, { net, env }: Capabilities, path: string): Problem[] {
  if (run.type !== "http") return [];
  const host = netTarget(run.url)?.net ?? "";
  const variables = Object.values(run.headers).flatMap((value) =>
    [...value.matchAll(VARIABLE)].map(([, name = ""]) => name),
  );
  const missing = [...new Set(variables)].filter((name) => !env.includes(name));
  return [
    ...(net.includes(host) ? [] : [problem("E_HTTP_HOST", `${path}.url`, host)]),
    ...missing.map((name) => problem("E_HTTP_VARIABLE", `${path}.headers`, name)),
  ];
}

/** A header's value with its variables put in; undefined when one of them is not there, or is no text for a header. */
export function fillHeader(template: string, env: Readonly<Record<string, string>>): string | undefined {
  let isWhole = true;
  const value = template.replace(VARIABLE, (_, name: string) => {
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    isWhole &&= found !== undefined;
    return found ?? "";
  });
  return isWhole && isPlain(value) ? value : undefined;
}

/** Whether a header, by its lower-case name, is one that hookpkg itself sets. */
export function isOurHeader(name: string): boolean {
  return OUR_HEADERS.has(name) || name.startsWith("proxy-") || name.startsWith("sec-");
}

/** What else looks like a variable is a mistake: it would be sent as it stands. */
function isPlain(value: string): boolean {
  return /^[\t\u0020-\u007e]*$/.test(value) && !value.replace(VARIABLE, "").includes("${");
}
