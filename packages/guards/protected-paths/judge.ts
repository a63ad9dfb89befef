import {
  type Call,
  type Change,
  changedByCall,
  changedByCode,
  firstOf,
  oneLine,
  pathIn,
  readCommand,
  type Scene,
  shown,
  type Watch,
} from "@guards/shell";
import type { TouchedPath } from "@hookpkg/sdk";
import { type Pattern, protectorBelow, protectorOf } from "./patterns.ts";

const WORDS = { write: "change", delete: "delete", move: "move" };

/** Why a command must not run: it would change a protected file. Reading is free. */
export function judgeCommand(command: string, scene: Scene, patterns: readonly Pattern[]): string | undefined {
  const judge = (who: string, change: Change, at: Call["at"]) => {
    // As it is named, and where it leads: either may be what is protected.
    const named = at(change.path, "parents");
    const led = at(change.path);
    const reason = reasonFor(who, { ...change, path: named }, { scene, patterns });
    return reason === undefined && led !== named
      ? reasonFor(who, { ...change, path: led }, { scene, patterns })
      : reason;
  };
  const watch: Watch = {
    call(call) {
      return firstOf(changedByCall(call), (change) => judge(call.name, change, call.at));
    },
    write: (path) => reasonFor("the redirection", { op: "write", path }, { scene, patterns }),
    code: (code) => firstOf(changedByCode(code), (change) => judge(code.language, change, code.at)),
    hidden: () => "it runs text that is decoded on the way, so nobody can say which files it would change",
  };
  return readCommand(command, scene, watch);
}

/** The same for the files that a file tool's fields name. */
export function judgeFiles(
  files: readonly TouchedPath[],
  scene: Scene,
  patterns: readonly Pattern[],
): string | undefined {
  const reason = firstOf(files, (file) => {
    return firstOf(changesOf(file), ({ op, path }) =>
      firstOf(["parents", "all"] as const, (follow) =>
        reasonFor("it", { op, path: pathIn(scene, path, follow) }, { scene, patterns }),
      ),
    );
  });
  return reason === undefined ? undefined : oneLine(reason);
}

function changesOf(file: TouchedPath): Change[] {
  if (file.op === "read") return [];
  if (file.op !== "move") return [{ op: file.op, path: file.path }];
  return [
    { op: "move", path: file.path },
    { op: "write", path: file.to },
  ];
}

type Ground = { scene: Scene; patterns: readonly Pattern[] };

function reasonFor(who: string, { op, path }: Change, { scene, patterns }: Ground): string | undefined {
  const found =
    protectorOf(patterns, path, scene.project) ?? (op === "write" ? undefined : protectorBelow(patterns, path));
  return found === undefined
    ? undefined
    : `${who} would ${WORDS[op]} ${shown(path)}, which is protected (${found.text})`;
}
