import type { PackageName } from "@hookpkg/spec";
import guardTest from "./guard/guard.test.ts.txt" with { type: "text" };
import guard from "./guard/guard.ts.txt" with { type: "text" };
import manifest from "./guard/hookpkg.json.txt" with { type: "text" };
import hooks from "./guard/hooks.json.txt" with { type: "text" };
import ignore from "./guard/ignore.txt" with { type: "text" };
import license from "./guard/license.txt" with { type: "text" };
import mustCancel from "./guard/must-cancel.json.txt" with { type: "text" };
import mustPass from "./guard/must-pass.json.txt" with { type: "text" };
import packageJson from "./guard/package.json.txt" with { type: "text" };
import readme from "./guard/readme.md.txt" with { type: "text" };
import sdk from "./guard/sdk.generated.ts.txt" with { type: "text" };
import shell from "./guard/shell.ts.txt" with { type: "text" };
import tsconfig from "./guard/tsconfig.json.txt" with { type: "text" };

/** Where an author's editor and tests find the SDK: the template's tsconfig.json says so. A name with a dot is never packed. */
export const SDK_FILE = ".sdk/index.ts";

/** The SDK as this hookpkg has it, and a tsconfig.json for a package that has none. */
export const sdkFiles = { sdk, tsconfig } as const;

/** A working, tested guard of this name: path → text. */
export function guardFiles(name: PackageName, year: number): ReadonlyMap<string, string> {
  const values = { name, year: `${year}`, scope: name.slice(1, name.indexOf("/")) };
  return new Map(
    Object.entries({
      "hookpkg.json": manifest,
      "hooks/hooks.json": hooks,
      "guard.ts": guard,
      "shell.ts": shell,
      "guard.test.ts": guardTest,
      "test/cases/must-cancel.json": mustCancel,
      "test/cases/must-pass.json": mustPass,
      "README.md": readme,
      LICENSE: license,
      ".hookpkgignore": ignore,
      "package.json": packageJson,
      "tsconfig.json": tsconfig,
      [SDK_FILE]: sdk,
    }).map(([path, text]) => [path, filled(text, values)]),
  );
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
}
