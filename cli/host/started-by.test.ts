import { expect, test } from "bun:test";
import { isTypedShell } from "./started-by.ts";

const INTEGRATION = "/usr/share/code/shellIntegration-bash.sh";

const TYPED_IN: readonly string[][] = [
  ["bash"],
  ["-zsh"],
  ["sh"],
  ["/bin/bash", "--login", "-i"],
  ["/bin/bash", "--init-file", INTEGRATION],
  ["bash", "--rcfile", "/x/rc", "-i"],
  ["bash", "--norc", "--noprofile"],
  ["bash", "-o", "vi"],
  ["/usr/bin/fish", "-l"],
];

test("a shell that was only told how to begin is typed in, whoever opened it", () => {
  expect(TYPED_IN.filter((words) => !isTypedShell(words))).toEqual([]);
});

const HOSTS: readonly string[][] = [
  ["bash", "agent.sh"],
  ["bash", "-l", "agent.sh"],
  ["bash", "-lc", "agent"],
  ["sh", "-c", "agent"],
  ["bash", "-s", "agent"],
  ["bash", "--rcfile", "/x/rc", "agent.sh"],
  ["fish", "--command=agent"],
  ["node", "agent.js"],
  [],
];

test("whoever was told what to run is a host like any other", () => {
  expect(HOSTS.filter((words) => isTypedShell(words))).toEqual([]);
});
