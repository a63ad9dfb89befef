export { type FileLine, type Files, fileLines, type PackageFile, sortFiles, treeDigest } from "./files.ts";
export { type Attack, archiveAttacks, buildTar } from "./hostile-tar.ts";
export { LIMITS } from "./limits.ts";
export { type Packed, pack, type ValidArchive } from "./pack.ts";
export { checkPath, foldCase } from "./path.ts";
export { readFolder } from "./read-folder.ts";
export { placeTree, readTree, removeTree, treePath } from "./store.ts";
export { discardFolder } from "./store-write.ts";
export { validateArchive } from "./validate.ts";
