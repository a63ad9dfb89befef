// Runs inside the sandbox, started by the self-test: tries what must fail and says what happened.
import { dlopen, ptr } from "bun:ffi";
import { readFileSync, writeFileSync } from "node:fs";

const { hidden, keyctl } = JSON.parse(await Bun.stdin.text());
const libc = dlopen("libc.so.6", {
  syscall: { args: ["i64", "i64", "i64", "i64", "i64"], returns: "i64" },
  unshare: { args: ["i32"], returns: "i32" },
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  mount: { args: ["ptr", "ptr", "ptr", "u64", "ptr"], returns: "i32" },
}).symbols;
const text = (word) => ptr(Buffer.from(`${word}\0`));
const status = readFileSync("/proc/self/status", "utf8");
const field = (name) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1];
const fails = (action) => {
  try {
    return action() === false;
  } catch {
    return true;
  }
};

const AF_UNIX = 1;
const AF_INET = 2;
const AF_VSOCK = 40;
const CLONE_NEWUSER = 0x10000000;
const filter = {
  noNewPrivileges: field("NoNewPrivs") === "1",
  filterOn: field("Seccomp") === "2",
  unshareRefused: libc.unshare(CLONE_NEWUSER) === -1,
  socketsRefused: [AF_UNIX, AF_INET, AF_VSOCK].every((family) => libc.socket(family, 1, 0) === -1),
  keysRefused: Number(libc.syscall(keyctl, 0, -3, 1, 0)) === -1,
  mountRefused: libc.mount(text("none"), text("/tmp"), text("tmpfs"), 0, null) === -1,
};
const walls = {
  noCapabilities: ["CapEff", "CapPrm", "CapInh", "CapAmb"].every((name) => Number.parseInt(field(name), 16) === 0),
  notRoot: process.getuid() !== 0,
  hostHidden: hidden.every((path) => fails(() => void readFileSync(path))),
  kernelReadOnly: fails(() => void writeFileSync("/proc/sys/kernel/core_pattern", "core")),
  packageReadOnly: fails(() => void writeFileSync("/plugin/new", "")),
  ownProcessesOnly: process.pid < 100,
};
console.log(JSON.stringify({ filter, walls }));
