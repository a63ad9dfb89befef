// bun .ci/tests.ts [bun test arguments…]: runs the tests and closes with one plain line, "N passed, N failed".
// A skipped test fails the run, so does a run without tests: what did not run here must not look green.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A test that takes longer hangs; machines that run several things at once are slow, and no test is about time. */
const TIMEOUT_MS = 120_000;
const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "hookpkg-tests-"));
const report = join(folder, "junit.xml");
const run = Bun.spawn(
  [
    process.execPath,
    "test",
    "--isolate",
    `--timeout=${TIMEOUT_MS}`,
    ...args,
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ],
  { stdio: ["ignore", "inherit", "inherit"] },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal));
const code = await run.exited;
const junit = (await Bun.file(report).exists()) ? await Bun.file(report).text() : "";
rmSync(folder, { recursive: true });

const total = /<testsuites [^>]*>/.exec(junit)?.[0] ?? "";
const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(total)?.[1] ?? 0);
const skipped = count("skipped");
// A file that does not load or a crash of the runner fails the run without a failed test: it counts as one.
const failed = Math.max(count("failures") + count("errors"), code === 0 ? 0 : 1);
const passed = Math.max(count("tests") - count("failures") - count("errors") - skipped, 0);

// The report counts what a name filter leaves out as skipped; only there is it no fault.
const isFiltered = args.some((arg) => arg.startsWith("-t") || arg.startsWith("--test-name-pattern"));
const skipFails = skipped > 0 && !isFiltered;
if (skipFails) console.log(`\nskipped, which fails the run:\n${skippedTests(junit).join("\n")}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(code !== 0 ? code : skipFails || passed === 0 ? 1 : 0);

function skippedTests(xml: string): string[] {
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*[^/]>\s*<skipped/g);
  return [...cases].map(([, name, file]) => `  ${file}: ${name}`);
}
