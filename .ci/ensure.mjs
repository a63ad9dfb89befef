// node .ci/ensure.mjs <script> [args…]: brings what the tree needs, then runs the script with the pinned bun.
// Plain node and npm are all it takes for granted. Whatever can't be brought is named with the command that mends it.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager.split("@")[1];
const tools = join(root, ".tools");
// Called by this name and not as bun.exe: a bun started under another name does not hand itself on to nested calls.
const ownBun = join(tools, "node_modules", ".bin", "bun");

if (Number(process.versions.node.split(".")[0]) < 18)
  stop(`node ${process.versions.node} is too old`, "nvm install 22");
if (process.platform === "win32") stop("hookpkg needs Linux or macOS", "wsl --install");

const bun = findBun() ?? installBun();
if (process.platform === "linux") ensureBubblewrap();
// Its absence stops nobody: the tests that need it say so.
if (process.platform === "linux" && process.argv[2] === ".ci/tests.ts" && !answers("strace", "-V")) install("strace");
installDependencies();
runScript();

function findBun() {
  return ["bun", ownBun].find(isWanted);
}

function isWanted(bin) {
  const asked = spawnSync(bin, ["--version"], { encoding: "utf8" });
  return asked.status === 0 && asked.stdout.trim() === wanted;
}

function installBun() {
  say(`installing bun ${wanted} into .tools/`);
  mkdirSync(tools, { recursive: true });
  // A package of its own and `cwd`: `npm --prefix` would move npm's global configuration (and its CA file) as well.
  writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true, allowScripts: { bun: true } }));
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const installed = quietly("npm", ["install", ...flags, `bun@${wanted}`], { cwd: tools, env: withoutNpmSettings() });
  // Where install scripts are blocked, the package holds a stub until its own script has run.
  if (installed && !isWanted(ownBun))
    quietly(process.execPath, ["install.js"], { cwd: join(tools, "node_modules/bun") });
  if (!isWanted(ownBun)) stop(`bun ${wanted} could not be installed with npm`, `npm install -g bun@${wanted}`);
  return ownBun;
}

/** What `npm test` was called with reaches us as npm_config_…; these two would keep the npm below from its work. */
function withoutNpmSettings() {
  const { npm_config_ignore_scripts, npm_config_global, ...env } = process.env;
  return env;
}

function ensureBubblewrap() {
  if (hasBubblewrap()) return;
  const sudo = process.getuid() === 0 ? "" : "sudo ";
  install("bubblewrap");
  if (hasBubblewrap()) return;
  stop("the sandbox needs bubblewrap (bwrap), which could not be installed", `${sudo}${installCommand()} bubblewrap`);
}

function install(name) {
  const isRoot = process.getuid() === 0;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => quietly(...(isRoot ? ["apt-get", args] : ["sudo", ["-n", "apt-get", ...args]]), { env });
  say(`installing ${name}`);
  // The package lists of a fresh image are empty, those of an old one name versions that are gone.
  const isInstalled = hasCandidate(name) && apt("install", "-y", "-qq", name);
  if (!isInstalled && apt("update", "-qq")) apt("install", "-y", "-qq", name);
}

function hasCandidate(name) {
  return spawnSync("apt-cache", ["show", name]).status === 0;
}

function hasBubblewrap() {
  return answers("bwrap", "--version");
}

function answers(program, flag) {
  return spawnSync(program, [flag]).status === 0;
}

function installCommand() {
  const known = {
    "apt-get": "apt-get install -y",
    dnf: "dnf install -y",
    pacman: "pacman -S",
    apk: "apk add",
    zypper: "zypper install",
  };
  const found = Object.keys(known).find((name) => spawnSync(name, ["--version"]).error === undefined);
  return known[found ?? "apt-get"];
}

function installDependencies() {
  if (quietly(bun, ["install", "--frozen-lockfile"])) return;
  stop("the dependencies in bun.lock could not be installed", `${bun} install --frozen-lockfile`);
}

function runScript() {
  const PATH = bun === ownBun ? `${dirname(ownBun)}${delimiter}${process.env.PATH ?? ""}` : process.env.PATH;
  const child = spawn(bun, process.argv.slice(2), { cwd: root, stdio: "inherit", env: { ...process.env, PATH } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => stop(`${bun} could not be started: ${error.message}`, `rm -r ${tools}`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Runs a set-up step; its output is shown on stderr only when it fails, so that stdout stays the script's own. */
function quietly(command, args, options = {}) {
  const ran = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  if (ran.status === 0) return true;
  process.stderr.write(ran.error ? `${command}: ${ran.error.message}\n` : `${ran.stdout}${ran.stderr}`);
  return false;
}

function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

function stop(problem, mend) {
  say(problem);
  say(`this mends it:  ${mend}`);
  process.exit(1);
}
