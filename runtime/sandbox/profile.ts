import { refuse } from "../faults.ts";
import { FORWARDER_ENV, FORWARDER_THREADS, forwarderFiles, forwarderWords, gatewayMounts } from "./forwarder.ts";
import { FD, type MemoryFile, OWN_ROOT, type Plan, type Programs, WORKER_BINARY } from "./plan.ts";

export { type MemoryFile, OWN_ROOT, WORKER_BINARY };

/** Something that stays unreadable inside a folder that is shown: nothing there, an error for who opens or lists it, or other bytes. */
export type Mask = { path: string; shows: "empty-folder" | "no-folder" | "no-file" | Uint8Array };

/** A folder or file that may be written. `keep` is there and stays as it is; `deny` is absent and stays absent. */
export type WriteGrant = { path: string; keep: readonly string[]; deny: readonly string[] };

/** What one process may see and use. Everything that is not named here does not exist inside. Paths of the host are real paths. */
export type Profile = {
  /** A worker sees its own binary and that binary's libraries; a command sees /usr. */
  kind: "worker" | "command";
  /** At /plugin. */
  files: readonly MemoryFile[];
  /** hookpkg's own, at /opt/hookpkg. */
  own: readonly MemoryFile[];
  /** Folders and files seen read-only at their own path. */
  read: readonly string[];
  /** Other names of what is seen: a home may lie behind a link, and events name it so. */
  links: readonly { path: string; to: string }[];
  masks: readonly Mask[];
  write: readonly WriteGrant[];
  /** A folder of the host, writable at /data. */
  data?: string;
  /** A socket of the host that is its only way out: a command's, with a network right. */
  gateway?: string;
  env: Readonly<Record<string, string>>;
  cwd: string;
  limits: Limits;
};

/** `cpuSeconds` of a process's life; 0 for one that lives longer than a call: its deadline holds it. */
export type Limits = { memoryMiB: number; cpuSeconds: number };

/** Who makes the mounts: a user in a namespace of its own, or root, which steps down to `uid` before anything else runs. */
export type Mode = { kind: "user" } | { kind: "root"; uid: number };

export const PLUGIN_ROOT = "/plugin";
export const PLUGIN_DATA = "/data";

export const MAX_TMP_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_OPEN_FILES = 256;
export const MAX_COMMAND_PROCESSES = 64;
/** As root all sandboxes run as one user and share the kernel's count: each is counted by us, and one that forks on until we see it leaves the others room. */
const MAX_PROCESSES = { user: MAX_COMMAND_PROCESSES, root: 8192 };
/** One byte, not none: a kernel that hands dumps to a program of the host does so at 0, and at 1 never. */
const NO_DUMP = "--core=1";
const MIN_WORKER_SPACE_MIB = 2560;
/** bubblewrap takes 9,000 words. Above this many files they keep its default mode, 0666, on a mount that nobody can write. */
const MAX_FILES_WITH_MODES = 1000;

/** The bubblewrap call for a profile. Pure: what it needs of the machine stands in `programs`. */
export function plan(profile: Profile, command: readonly string[], mode: Mode, programs: Programs): Plan {
  const bytes: Uint8Array[] = [];
  const words = [
    ...namespaces(profile, mode),
    ...environment(profile),
    ...system(profile, mode, programs),
    ...placed(PLUGIN_ROOT, profile.files, bytes),
    ...placed(OWN_ROOT, [...profile.own, ...(profile.gateway === undefined ? [] : forwarderFiles(programs))], bytes),
    ...granted(profile),
    ...profile.masks.flatMap((mask) => masked(mask, bytes)),
    ...profile.write.flatMap(protectedParts),
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", profile.cwd],
  ];
  const forwarded = profile.gateway === undefined ? [] : forwarderWords();
  const inside = [...stepDown(mode, programs), ...forwarded, ...limited(profile, mode, programs), ...command];
  // Words are handed over with a zero byte after each: one inside a word would begin a mount that nobody granted.
  const torn = [...words, ...inside].find((word) => word.includes("\0"));
  if (torn !== undefined) throw refuse("E_SANDBOX_WORD", { word: torn.slice(0, 100) });
  const before = [...(programs.tracer ?? []), ...reserved(profile, programs)];
  const [program = programs.bwrap, ...argv] = [...before, programs.bwrap];
  return {
    program,
    argv: [...argv, "--args", `${FD.words}`, "--", ...inside],
    words,
    files: bytes,
    ...(mode.kind === "root" ? { owner: mode.uid } : {}),
    filter: {
      ...{ arch: programs.arch, links: profile.data === undefined && profile.write.length === 0 },
      ...(profile.gateway === undefined ? {} : { net: true }),
    },
  };
}

function namespaces(profile: Profile, mode: Mode): string[] {
  return [
    ...(mode.kind === "user" ? ["--unshare-user"] : []),
    // Named one by one: --unshare-all tolerates that some are refused.
    ...["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup"],
    ...["--die-with-parent", "--new-session", "--hostname", "hook", "--cap-drop", "ALL"],
    // A worker starts no processes that would have to be waited for, and so is the child that bubblewrap names.
    ...(profile.kind === "worker" ? ["--as-pid-1"] : []),
    ...(mode.kind === "root" ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : []),
    ...["--seccomp", `${FD.filter}`, "--json-status-fd", `${FD.status}`],
  ];
}

function environment(profile: Profile): string[] {
  const env: Profile["env"] = profile.gateway === undefined ? profile.env : { ...profile.env, ...FORWARDER_ENV };
  const names = Object.keys(env).sort();
  return ["--clearenv", ...names.flatMap((name) => ["--setenv", name, env[name] ?? ""])];
}

function system(profile: Profile, mode: Mode, programs: Programs): string[] {
  const shown = profile.kind === "command" ? programs.system : programs.worker.libraries.map((path) => ({ path }));
  return [
    ...shown.flatMap((entry) =>
      "link" in entry ? ["--symlink", entry.link, entry.path] : bound("ro-bind", entry.path),
    ),
    ...["--dir", "/opt", "--dir", OWN_ROOT],
    ...(profile.kind === "worker" || profile.gateway ? ["--ro-bind", programs.worker.binary, WORKER_BINARY] : []),
    ...(profile.gateway === undefined ? [] : gatewayMounts(profile.gateway)),
    ...(profile.kind === "worker" && mode.kind === "root"
      ? [
          programs.setpriv.binary,
          ...programs.setpriv.libraries.filter((path) => !programs.worker.libraries.includes(path)),
        ].flatMap((path) => bound("ro-bind", path))
      : []),
    ...["--dir", "/etc", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    // As root bubblewrap leaves /proc/sys writable, core_pattern with it.
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"],
    ...(profile.kind === "command"
      ? ["--perms", "1777", "--size", `${MAX_TMP_BYTES}`, "--tmpfs", "/tmp"]
      : ["--dir", "/tmp"]),
    ...["--dir", PLUGIN_ROOT],
  ];
}

function placed(root: string, files: readonly MemoryFile[], bytes: Uint8Array[]): string[] {
  return files.flatMap((file) => {
    const fd = FD.firstFile + bytes.push(file.bytes) - 1;
    const mode = file.executable ? ["--perms", "0555"] : files.length > MAX_FILES_WITH_MODES ? [] : ["--perms", "0444"];
    return [...mode, "--file", `${fd}`, `${root}/${file.path}`];
  });
}

function granted(profile: Profile): string[] {
  return [
    ...profile.read.flatMap((path) => bound("ro-bind", path)),
    ...profile.links.flatMap(({ path, to }) => [...foldersAbove(path), "--symlink", to, path]),
    ...(profile.data === undefined ? [] : ["--bind", profile.data, PLUGIN_DATA]),
    ...profile.write.flatMap((grant) => bound("bind", grant.path)),
  ];
}

function masked(mask: Mask, bytes: Uint8Array[]): string[] {
  if (mask.shows === "empty-folder") return emptyFolder(mask.path);
  if (mask.shows === "no-folder") return emptyFolder(mask.path, "0111"); // can be passed through, so be started in
  // A device on a mount that knows no devices: opening it is refused, whoever asks.
  if (mask.shows === "no-file") return ["--ro-bind", "/dev/null", mask.path];
  return ["--perms", "0444", "--ro-bind-data", `${FD.firstFile + bytes.push(mask.shows) - 1}`, mask.path];
}

function protectedParts(grant: WriteGrant): string[] {
  return [...grant.keep.flatMap((path) => bound("ro-bind", path)), ...grant.deny.flatMap((path) => emptyFolder(path))];
}

function emptyFolder(path: string, mode = "0555"): string[] {
  return ["--perms", mode, "--tmpfs", path, "--remount-ro", path];
}

function stepDown(mode: Mode, { setpriv }: Programs): string[] {
  if (mode.kind === "user") return [];
  const who = [`--reuid=${mode.uid}`, `--regid=${mode.uid}`, "--clear-groups"];
  return [setpriv.binary, ...who, "--no-new-privs", "--inh-caps=-all", "--"];
}

/** Bun plans its address space when it starts, so a worker's is limited before that: below 2.5 GiB it loses its compiler. */
function reserved(profile: Profile, { prlimit }: Programs): string[] {
  if (profile.kind === "command") return [];
  const bytes = (profile.limits.memoryMiB + MIN_WORKER_SPACE_MIB) * 1024 * 1024;
  return [prlimit, `--as=${bytes}`, NO_DUMP, "--"];
}

/** A command's limits are set inside: the number of processes must be counted in its own namespace. A worker sets its others. */
function limited(profile: Profile, mode: Mode, programs: Programs): string[] {
  if (profile.kind === "worker") return [];
  const { memoryMiB, cpuSeconds } = profile.limits;
  const processes = MAX_PROCESSES[mode.kind] + (profile.gateway === undefined ? 0 : FORWARDER_THREADS);
  return [
    programs.prlimit,
    ...[
      NO_DUMP,
      `--fsize=${MAX_FILE_BYTES}`,
      ...(cpuSeconds > 0 ? [`--cpu=${cpuSeconds}`] : []),
      `--data=${memoryMiB * 1024 * 1024}`,
    ],
    ...[`--nofile=${MAX_OPEN_FILES}`, `--nproc=${processes}`, "--"],
  ];
}

function bound(how: "bind" | "ro-bind", path: string): string[] {
  return [...foldersAbove(path), `--${how}`, path, path];
}

/** bubblewrap itself would make them 0700, closed to the user that root steps down to. */
function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.flatMap((_, depth) => ["--dir", `/${names.slice(0, depth + 1).join("/")}`]);
}
