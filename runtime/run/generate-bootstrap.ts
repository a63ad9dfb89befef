import { join, relative } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const TYPES = `/** The text of the worker's bootstrap, imported with { type: "text" }. */
declare const text: string;
export { text as default };
`;

/** The worker's bootstrap as one file without imports of ours: it is handed into the sandbox from memory. */
export async function generated(): Promise<{ path: string; text: string }[]> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "bootstrap.ts")],
    target: "bun",
    format: "esm",
  });
  // The bundler's remarks name files as seen from the folder it happens to run in.
  const text = ((await built.outputs[0]?.text()) ?? "").replace(/^\/\/ \S+\.ts\n/gm, "");
  const at = (name: string) => relative(ROOT, join(import.meta.dir, name));
  return [
    { path: at("bootstrap.generated.js"), text },
    { path: at("bootstrap.generated.d.ts"), text: TYPES },
  ];
}
