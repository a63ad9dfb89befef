import { expect, test } from "bun:test";
import { join } from "node:path";
import { MAX_JSON_BYTES } from "@hookpkg/spec";
import { MAX_STDIN_BYTES } from "./stdin.ts";

const PROGRAM = `const { readStdin } = await import(${JSON.stringify(join(import.meta.dir, "stdin.ts"))});
  const bytes = await readStdin();
  console.log(bytes.length + " " + new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));`;

const told = (bytes: Uint8Array) => `${bytes.length} ${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}\n`;

/** Bun's pipes are sockets; a shell's are pipes, and perl makes one that does not wait. */
const WAYS: [string, (program: string[]) => string[]][] = [
  ["a socket", (program) => program],
  ["a pipe", (program) => ["/bin/sh", "-c", `cat | "$@"`, "sh", ...program]],
  [
    "a pipe that does not wait",
    (program) => [
      "/bin/sh",
      "-c",
      `(sleep 0.1; cat) | perl -e 'use Fcntl; fcntl(STDIN, F_SETFL, O_NONBLOCK); exec @ARGV' "$@"`,
      "sh",
      ...program,
    ],
  ],
];

test.each(WAYS)("all of it is read from %s", async (_, way) => {
  for (const size of [0, 10, 3_000_000]) {
    const bytes = new Uint8Array(size).map((_, at) => at % 251);
    const child = Bun.spawn(way([process.execPath, "-e", PROGRAM]), {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    child.stdin.write(bytes);
    await child.stdin.end();
    expect(await child.stdout.text()).toBe(told(bytes));
  }
});

test("an event may be as long for the daemon's door as for the other one, and is read no further", async () => {
  expect(MAX_STDIN_BYTES).toBe(MAX_JSON_BYTES);
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], {
    stdin: new Blob([new Uint8Array(MAX_STDIN_BYTES + 9)]),
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toStartWith(`${MAX_STDIN_BYTES + 1} `);
});
