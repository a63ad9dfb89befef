import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../author/test-program.ts";
import { listenAt } from "./own-socket.ts";

const CLIENT = `import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
try:
    s.sendall(b"hello")
    print(s.recv(100).decode() or "hung up")
except OSError:
    print("hung up")`;

/** Only root can be two users here; anybody else sees the first half. */
const isRoot = process.getuid?.() === 0;
const others = isRoot ? [["another user", ["--reuid=65534", "--clear-groups"], "hung up"] as const] : [];

test.each([["the same user", [], "welcome"] as const, ...others])(
  `a socket whose mode somebody opened, ${isRoot ? "both users" : "WITHOUT the other user, who needs root"}: %s`,
  async (_, as, answer) => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
    const path = join(folder.path, "s.sock");
    let heard = "";
    const { stop } = await listenAt(path, (wire) => ({
      receive(chunk) {
        heard += new TextDecoder().decode(chunk);
        wire.say("welcome");
        wire.end();
      },
      closed: () => {},
    }));
    chmodSync(path, 0o666);
    const words = as.length === 0 ? [] : ["/usr/bin/setpriv", ...as];
    const client = Bun.spawn([...words, "/usr/bin/python3", "-c", CLIENT, path], { cwd: "/", stdout: "pipe" });
    expect((await client.stdout.text()).trim()).toBe(answer);
    expect(heard).toBe(answer === "welcome" ? "hello" : "");
    stop();
  },
);
