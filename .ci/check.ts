// bun run check: all that CI does besides the tests, one line a step. Every step runs; the last line names those that failed.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Step = { name: string; run: () => Promise<string | undefined> };

const root = dirname(import.meta.dir);
const bin = (name: string) => join(root, "node_modules/.bin", name);

const steps: Step[] = [
  { name: "format and lint", run: () => complaintOf([bin("biome"), "ci", "--colors=off", "--error-on-warnings", "."]) },
  { name: "types", run: () => complaintOf([bin("tsc"), "--noEmit", "-p", "."]) },
  {
    name: "boundaries",
    run: () => complaintOf([process.execPath, "test", "--only-failures", "test/boundaries.test.ts"]),
  },
  { name: "dead code", run: () => complaintOf([bin("knip"), "--no-progress", "--no-config-hints"]) },
  { name: "generated files", run: () => complaintOf([process.execPath, ".ci/generate.ts", "--check"]) },
  { name: "lockfile", run: async () => lockfileComplaint(readFileSync(join(root, "bun.lock"), "utf8")) },
];

const failed: string[] = [];
for (const step of steps) {
  const complaint = await step.run();
  console.log(`${complaint === undefined ? "ok    " : "FAILED"} ${step.name}`);
  if (complaint === undefined) continue;
  console.log(complaint.trimEnd());
  failed.push(step.name);
}
if (failed.length > 0) console.log(`check failed: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);

/** What the command prints when it fails. */
async function complaintOf(command: string[]): Promise<string | undefined> {
  const env = { ...process.env, CI: "true", NO_COLOR: "1" };
  const run = Bun.spawn(command, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  return code === 0 ? undefined : `${out}${err}\n(exit ${code}: ${command.join(" ")})`;
}

/** A registry's host, a linked folder or a path in the lock would hold on the machine that wrote it, and nowhere else. */
function lockfileComplaint(lock: string): string | undefined {
  const found = lock.split("\n").flatMap((line, index) => {
    const foreign = /https?:\/\/[^"]*|"[^"]*@?(?:file|link|git\+ssh):[^"]*|"(?:\/|[A-Za-z]:\\)[^"]*/.exec(line)?.[0];
    return foreign === undefined ? [] : [`bun.lock:${index + 1} ${foreign}`];
  });
  return found.length > 0 ? found.join("\n") : undefined;
}
