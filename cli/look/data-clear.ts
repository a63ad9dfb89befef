import {
  clearRecordings,
  clearTexts,
  discardData,
  type Home,
  homeFolders,
  keptFolders,
  projectAt,
  REAL_OUTSIDE,
} from "@hookpkg/runtime";
import { type CommandData, isLocalKey } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { counted } from "../trust/page.ts";
import { meant, openTrust } from "../trust/project-trust.ts";

/**
 * Takes away what is kept: the project's recorded tool calls, the long texts of all sessions, what a package keeps here. It names what; no
 * word alone means everything. Where nothing was kept it says so.
 */
export async function run(call: Call): Promise<Done<CommandData["data clear"]>> {
  const wanted = { recordings: call.flags.on("recordings"), texts: call.flags.on("spill") };
  if (!wanted.recordings && !wanted.texts && call.args.length === 0)
    throw refuse("E_USAGE", { found: "nothing to clear", expected: "--recordings, --spill or a package" });
  const home = homeFolders(call.home);
  const packages = call.args.length === 0 ? [] : await clearPackages(call, home);
  const recordings = wanted.recordings && cleared(call, home);
  const texts = wanted.texts ? clearTexts(REAL_OUTSIDE) : 0;
  return {
    data: { recordings, texts, packages: packages.filter(({ isGone }) => isGone).map(({ name }) => name) },
    lines: [
      ...(wanted.recordings
        ? [recordings ? "the recorded tool calls are gone" : "no tool call was recorded here"]
        : []),
      ...(wanted.texts ? [`${counted(texts, "long text")} gone`] : []),
      ...packages.map(({ name, isGone }) =>
        isGone ? `what ${name} kept in this project is gone` : `${name} kept nothing in this project`,
      ),
    ],
  };
}

function cleared(call: Call, home: Home): boolean {
  const place = projectAt(home, projectRoot(call));
  return place !== undefined && clearRecordings(home, place.id);
}

/** A package that was uninstalled may have left something, too. */
async function clearPackages(call: Call, home: Home): Promise<{ name: string; isGone: boolean }[]> {
  const { place } = await openTrust(call);
  const sources = meant(call.args, call.cwd, place.root);
  for (const source of sources)
    if (!isLocalKey(source) && !/^@[^/#]+\/[^/#]+$/.test(source))
      throw refuse("E_USAGE", { found: source.slice(0, 200), expected: "a package, such as @acme/guard" });
  return sources.map((source) => {
    const discarded = keptFolders(home, { source, project: place.id }).map((folder) => discardData(folder));
    return { name: source, isGone: discarded.includes(true) };
  });
}
