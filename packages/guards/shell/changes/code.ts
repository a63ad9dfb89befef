import { type Literal, literalsOf } from "../literals.ts";
import type { Code } from "../machine.ts";
import type { Change } from "./rule.ts";

/** Calls of the scripting languages that change, delete or move a file. */
const CHANGES =
  /\b(writeFile(Sync)?|appendFile(Sync)?|createWriteStream|writeTextFile(Sync)?|File\.write|IO\.write|write_text|write_bytes|file_put_contents|fwrite|fputs|truncate(Sync)?|unlink(Sync)?|rm(Sync|_rf|_r|_f)?|rmtree|remove(Sync|_tree)?|delete|rename(Sync)?|replace|move|mv|cp|copy(File|file)?(Sync)?|copy2|symlink(Sync)?|Bun\.write|outputFile(Sync)?|Set-Content|Add-Content|Out-File|Remove-Item|write)\b|['"](w|a|x|r\+|wb|ab|w\+|a\+|>{1,2}|\+<)['"]|['"]>{1,2}[^'"]/;

/** Directly before a literal: what it names is only read. */
const READS =
  /\b(readFile(Sync)?|readTextFile(Sync)?|read_text|File\.read|IO\.read|file_get_contents|require|import|exists(Sync)?|isfile|stat(Sync)?|createReadStream|Bun\.file|access(Sync)?)\s*\(\s*$/;
const OPENS = /\b(open|fopen|File\.open|File\.new)\s*\(\s*$/;
const WRITING_MODE = /^\s*,\s*(mode\s*=\s*)?['"][^'"]{0,8}[wax+]/;

/** The files that another language's program may change: literals that stand where they are not only read. */
export function changedByCode({ language, text, args }: Code): Change[] {
  if (/awk$/.test(language))
    return [...text.matchAll(/>{1,2}\s*"([^"\n]{1,300})"/g)].map(([, path = ""]) => ({ op: "write", path }));
  if (!CHANGES.test(text)) return [];
  const named = literalsOf(text).filter((literal) => !isOnlyRead(text, literal));
  const given = /argv|ARGV/.test(text) ? args : [];
  return [...named.map((literal) => literal.text.replace(/^(>{1,2}|\+<)\s*/, "")), ...given]
    .filter((path) => path.length < 1024 && !path.includes("\n"))
    .map((path) => ({ op: "write", path }));
}

function isOnlyRead(text: string, { start, end }: Literal): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  return READS.test(before) || (OPENS.test(before) && !WRITING_MODE.test(text.slice(end, end + 80)));
}
