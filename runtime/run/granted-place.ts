import { isAbsolute, join, resolve } from "node:path";

/** Where a path of a right leads: `~/` is the home, a relative path is below the project; undefined without a project. */
export function grantedPlace(path: string, { home, project }: { home: string; project?: string }): string | undefined {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  if (isAbsolute(path)) return path;
  return project === undefined ? undefined : resolve(project, path);
}
