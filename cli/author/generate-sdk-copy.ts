import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES } from "@hookpkg/spec";

const ROOT = join(import.meta.dir, "../..");
const PATH = "cli/author/guard/sdk.generated.ts.txt";
/** What the author imports, in one file: declared by spec first, then the SDK. */
const SPEC = ["packages/spec/answer.ts", "packages/spec/event-payload.ts"];
const SDK = ["answers.ts", "payload.ts", "paths.ts", "hook.ts", "case.ts"].map((name) => `packages/sdk/${name}`);

const HEAD = `// What @hookpkg/sdk is, for an editor and for bun test: inside the sandbox it is there by itself. Made by hookpkg, which writes it anew
// with "hookpkg sdk"; it is not packed.
`;

/** The SDK as one file without imports, for authors: it is on no package registry. */
export async function generated(): Promise<{ path: string; text: string }[]> {
  const names = EVENT_NAMES.map((name) => `  | ${JSON.stringify(name)}`).join("\n");
  const events = `export type KnownEvent =\n${names};\nexport type EventName = KnownEvent | \`\${string}.\${string}\`;\n`;
  const face = faceOf("packages/sdk/index.ts");
  const parts = [...SPEC, ...SDK].map((path) => onlyExporting(face, withoutImports(text(path))));
  return [
    {
      path: PATH,
      text: [HEAD, events, ...parts]
        .map((part) => part.trim())
        .join("\n\n")
        .concat("\n"),
    },
  ];
}

function text(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every name that the SDK exports, and no other: what the sandbox lacks must be missing in an author's test, too. */
function faceOf(index: string): ReadonlySet<string> {
  const lists = [...text(index).matchAll(/^export \{([^}]*)\}/gms)].flatMap(([, names = ""]) => names.split(","));
  return new Set(lists.map((name) => name.replace(/^\s*type /, "").trim()));
}

function onlyExporting(face: ReadonlySet<string>, source: string): string {
  const declared = /^export ((?:async )?(?:const|type|function|class) (\w+))/gm;
  return source.replace(declared, (whole, bare: string, name: string) => (face.has(name) ? whole : bare));
}

/** Every one of them is of a file that stands here, too; the compiler says so in the author's test. */
function withoutImports(source: string): string {
  return source.replace(/^(?:import|export)(?: type)? \{[^}]*\} from "[^"]+";\n/gm, "");
}
