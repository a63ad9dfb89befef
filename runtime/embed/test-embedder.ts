import { consent, type HandlerText, type Person, person, proposeLocal } from "../test-project.ts";
import { openChain } from "./chain.ts";
import type { ChainOptions } from "./options.ts";

/** For tests: a person's project with one approved package, whose modules have these bodies, called with `event` and `ctx`. */
export type GuardText = HandlerText & { body?: string };

export async function guarded(...handlers: readonly GuardText[]): Promise<Person> {
  const who = await person();
  const files = handlers.map(({ body = "" }, n) => [`g${n}.ts`, `export default async (event, ctx) => { ${body} };\n`]);
  const declared = handlers.map(({ body, ...handler }, n) => ({
    id: `g${n}`,
    ...(body === undefined ? { module: undefined } : { module: `./g${n}.ts` }),
    ...handler,
  }));
  await proposeLocal(who, "guard", { handlers: declared, files: Object.fromEntries(files) });
  await consent(who);
  return who;
}

/** A chain of that project, with nothing of this machine's in it. */
export function opened({ home, root }: Person, options: ChainOptions = {}) {
  return openChain({ project: root, home: home.base, env: {}, ...options });
}

export const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
