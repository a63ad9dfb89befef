import { type Code, firstOf, literalsOf, type Scene, shown } from "@guards/shell";
import { lossOf } from "../ground.ts";

/** Calls of the scripting languages that delete, and that write over a file. */
const DELETES =
  /\b(rmtree|remove_tree|rmdir(s|Sync)?|removedirs|unlink(Sync)?|rm(Sync|_rf|_r|_f)?|removeSync|remove_dir_all|emptyDir(Sync)?|rimraf|truncate(Sync)?|Remove-Item)\b|\b(os|fs|fsp|fse|promises|File|Files|Dir|FileUtils|Deno|file)\.(remove|delete)\b/;
const WRITES =
  /\b(writeFile(Sync)?|File\.write|write_text|write_bytes|file_put_contents|outputFile(Sync)?)\b|\bopen\s*\([^)\n]{0,400},\s*['"][wx>]|\bcopyFile(Sync)?\b/;

/** Only these are sure to delete files; the others are also names of other things. */
const SURELY = /\b(rmtree|remove_tree|rm_rf|rm_r|removeSync|rmSync|rmdirSync|rimraf|emptyDir(Sync)?|Remove-Item)\b/;
const HOME =
  /Path\.home\(\)|homedir\(\)|\$ENV\{["']?HOME|ENV(\.fetch)?[[(]["']HOME|env\.HOME|environ(\.get)?[[(]["']HOME|getenv\(["']HOME|Dir\.home|\$HOME|\$env:(HOME|USERPROFILE)/;
const ARGUMENTS = /\b(sys\.argv|process\.argv|ARGV|Bun\.argv|Deno\.args|argv)\b|@ARGV/;

/** Judges another language's program by the calls and the paths in its text. */
export function codeLoss({ language, text, args, at, state }: Code, scene: Scene): string | undefined {
  if (/awk$/.test(language) || !(DELETES.test(text) || WRITES.test(text))) return undefined;
  const literals = literalsOf(text).map((literal) => literal.text);
  const words = /^(pwsh|powershell)$/.test(language)
    ? text.split(/[\s;|'"]+/).filter((word) => !word.startsWith("-"))
    : literals;
  const named = [...words.filter(isPath), ...(ARGUMENTS.test(text) ? args.filter((arg) => !arg.startsWith("-")) : [])];
  const lost = firstOf(named, (path) => {
    const loss = lossOf(scene, state, at(path.replace(/^~(?=\/|$)|^\$\{?HOME\}?/, () => scene.home)));
    return loss === undefined ? undefined : `${language} would delete or overwrite ${shown(path)}: ${loss}`;
  });
  if (lost !== undefined || !DELETES.test(text)) return lost;
  if (HOME.test(text)) return `${language} would delete in the home folder`;
  return SURELY.test(text) && words.length === 0 && named.length === 0
    ? `${language} would delete what can't be known before it runs`
    : undefined;
}

/** Names without a blank; a bare word is a path only if it can leave the folder. */
function isPath(text: string): boolean {
  return text.length < 1024 && (/^(~|\/|\.|\$\{?HOME)/.test(text) || text.includes("../")) && !/[\n]/.test(text);
}
