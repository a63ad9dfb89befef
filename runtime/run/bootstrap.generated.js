// @bun
var __defProp = Object.defineProperty;
var __returnValue = (v) => v;
function __exportSetter(name, newValue) {
  this[name] = __returnValue.bind(null, newValue);
}
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, {
      get: all[name],
      enumerable: true,
      configurable: true,
      set: __exportSetter.bind(all, name)
    });
};

var exports_sdk = {};
__export(exports_sdk, {
  UnreadablePatch: () => UnreadablePatch,
  allow: () => allow,
  ask: () => ask,
  cancel: () => cancel,
  context: () => context,
  defineHook: () => defineHook,
  end: () => end,
  inputText: () => inputText,
  next: () => next,
  patch: () => patch,
  paths: () => paths,
  runCase: () => runCase
});

import { dlopen, ptr } from "bun:ffi";
import { openSync, writeSync } from "fs";

function next() {
  return { answer: "continue" };
}
function cancel(reason) {
  return { answer: "cancel", reason };
}
function patch(fields) {
  return { answer: "patch", fields };
}
function ask(reason) {
  return { answer: "ask", reason };
}
function context(text) {
  return { answer: "context", context: text };
}
function allow(reason) {
  return { answer: "allow", reason };
}
function end(reason) {
  return { answer: "end", reason };
}
var DEFAULTS = { session_id: "case", transcript_path: "/dev/null", cwd: "/home/dev/work/app" };
async function runCase(hook, test, given = {}) {
  const payload = { ...DEFAULTS, ...test.input, hook_event_name: test.event };
  const emitted = [];
  const ctx = {
    host: "native",
    project: payload.cwd,
    session: payload.session_id,
    turn: undefined,
    event: test.event,
    recheck: false,
    options: test.options ?? {},
    env: {},
    signal: new AbortController().signal,
    log: () => {},
    fetch: () => Promise.reject(Object.assign(new Error("a case has no network"), { code: "E_CAPABILITY" })),
    complete: () => Promise.reject(Object.assign(new Error("a case has no model"), { code: "E_CAPABILITY" })),
    emit: async (name, data = null) => void emitted.push({ name, data }),
    storage: memory(),
    ...given
  };
  const answer = await hook(payload, ctx) ?? { answer: "continue" };
  return { answer, problem: problemWith(answer, test.want), emitted };
}
function memory() {
  const kept = new Map;
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, structuredClone(value ?? null)),
    delete: async (key) => kept.delete(key),
    list: async (prefix = "") => [...kept.keys()].filter((key) => key.startsWith(prefix)).sort()
  };
}
function problemWith(answer, want) {
  if (answer.answer !== want.answer)
    return `wanted ${want.answer}, got ${JSON.stringify(answer)}`;
  const reason = "reason" in answer ? answer.reason : "";
  if (want.reasonIncludes !== undefined && !reason.includes(want.reasonIncludes)) {
    return `wanted a reason with ${JSON.stringify(want.reasonIncludes)}, got ${JSON.stringify(reason)}`;
  }
  const fields = "fields" in answer ? answer.fields : undefined;
  if (want.patch !== undefined && !Bun.deepEquals(fields, want.patch)) {
    return `wanted the patch ${JSON.stringify(want.patch)}, got ${JSON.stringify(fields)}`;
  }
  return;
}
function defineHook(handle) {
  return handle;
}
function inputText(call, field) {
  const value = Object.entries(call.tool_input).find(([name]) => name === field)?.[1];
  return typeof value === "string" ? value : undefined;
}

var FILE_TOOLS = {
  Write: { field: "file_path", op: "write" },
  Edit: { field: "file_path", op: "write" },
  MultiEdit: { field: "file_path", op: "write" },
  NotebookEdit: { field: "notebook_path", op: "write" },
  Read: { field: "file_path", op: "read" },
  Grep: { field: "path", op: "read" },
  Glob: { field: "path", op: "read" }
};

class UnreadablePatch extends Error {
  name = "UnreadablePatch";
}
function paths(call) {
  if (call.tool_name === "apply_patch")
    return changesOf(call.tool_input).map(touched);
  const tool = Object.hasOwn(FILE_TOOLS, call.tool_name) ? FILE_TOOLS[call.tool_name] : undefined;
  const path = tool === undefined ? undefined : inputText(call, tool.field);
  return tool === undefined || path === undefined ? [] : [{ op: tool.op, path }];
}
function touched({ op, path, to }) {
  if (to !== undefined)
    return { op: "move", path, to };
  return { op: op === "delete" ? "delete" : "write", path };
}
function changesOf(input) {
  const changes = "changes" in input ? input.changes : [];
  if (changes === null)
    throw new UnreadablePatch("nobody can say which files this patch would change");
  return Array.isArray(changes) ? changes.filter(isChange) : [];
}
function isChange(value) {
  if (typeof value !== "object" || value === null || !("path" in value) || !("op" in value))
    return false;
  const to = "to" in value ? value.to : undefined;
  return typeof value.path === "string" && typeof value.op === "string" && (to === undefined || typeof to === "string");
}
var AUDIT_ARCH = { x64: 3221225534, arm64: 3221225655 };
var LAST_KNOWN_CALL = 462;
var CALLS = {
  x64: numbers(`
    open 2 ioctl 16 shmget 29 socket 41 socketpair 53 clone 56 fork 57 vfork 58 execve 59 semget 64 msgget 68 creat 85 link 86 symlink 88 chmod 90 fchmod 91
    ptrace 101 syslog 103 mknod 133 uselib 134 personality 135 sysfs 139 vhangup 153 modify_ldt 154 pivot_root 155 _sysctl 156
    adjtimex 159 chroot 161 acct 163 settimeofday 164 mount 165 umount2 166 swapon 167 swapoff 168 reboot 169 sethostname 170
    setdomainname 171 iopl 172 ioperm 173 init_module 175 delete_module 176 quotactl 179 nfsservctl 180 lookup_dcookie 212
    clock_settime 227 kexec_load 246 add_key 248 request_key 249 keyctl 250 migrate_pages 256 openat 257 mknodat 259 linkat 265
    symlinkat 266 fchmodat 268 unshare 272 move_pages 279 perf_event_open 298 fanotify_init 300 fanotify_mark 301
    name_to_handle_at 303 open_by_handle_at 304 clock_adjtime 305 setns 308 process_vm_readv 310 process_vm_writev 311 kcmp 312
    finit_module 313 kexec_file_load 320 memfd_create 319 bpf 321 execveat 322 userfaultfd 323 io_uring_setup 425 io_uring_enter 426
    io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 clone3 435 openat2 437
    pidfd_getfd 438 process_madvise 440 mount_setattr 442 quotactl_fd 443 memfd_secret 447 process_mrelease 448 fchmodat2 452`),
  arm64: numbers(`
    lookup_dcookie 18 ioctl 29 mknodat 33 symlinkat 36 linkat 37 umount2 39 mount 40 pivot_root 41 nfsservctl 42 chroot 51
    fchmod 52 fchmodat 53 openat 56 vhangup 58 quotactl 60 acct 89 personality 92 unshare 97 kexec_load 104 init_module 105
    delete_module 106 clock_settime 112 syslog 116 ptrace 117 reboot 142 sethostname 161 setdomainname 162 settimeofday 170
    adjtimex 171 msgget 186 semget 190 shmget 194 socket 198 socketpair 199 add_key 217 request_key 218 keyctl 219 clone 220 execve 221 swapon 224 swapoff 225
    migrate_pages 238 move_pages 239 perf_event_open 241 fanotify_init 262 fanotify_mark 263 name_to_handle_at 264
    open_by_handle_at 265 clock_adjtime 266 setns 268 process_vm_readv 270 process_vm_writev 271 kcmp 272 finit_module 273
    memfd_create 279 bpf 280 execveat 281 userfaultfd 282 kexec_file_load 294 io_uring_setup 425 io_uring_enter 426 io_uring_register 427
    open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 clone3 435 openat2 437 pidfd_getfd 438
    process_madvise 440 mount_setattr 442 quotactl_fd 443 memfd_secret 447 process_mrelease 448 fchmodat2 452`)
};
var NEVER = `
  mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
  ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise process_mrelease move_pages migrate_pages
  keyctl add_key request_key bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register memfd_secret
  open_by_handle_at name_to_handle_at fanotify_init fanotify_mark mknod mknodat
  kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff acct quotactl quotactl_fd syslog
  settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup
  iopl ioperm modify_ldt personality uselib sysfs _sysctl nfsservctl lookup_dcookie`.trim().split(/\s+/);
function numbers(table) {
  const words = table.trim().split(/\s+/);
  const calls = {};
  for (let at = 0;at < words.length; at += 2)
    calls[words[at] ?? ""] = Number(words[at + 1]);
  return calls;
}

function noExecFilter(arch) {
  const calls = CALLS[arch];
  const rules = [
    ...["execve", "execveat", "fork", "vfork"].map((name) => always(calls[name], EPERM)),
    when(calls.clone, [...unlessBit(0, CLONE_THREAD), EPERM])
  ];
  return assemble([...head(arch), ...rules.flat(), ALLOW]);
}
var RETURN = 6;
var ret = (k) => ({ code: RETURN, jt: 0, jf: 0, k });
var ALLOW = ret(2147418112);
var KILL = ret(2147483648);
var errno = (number) => ret(327680 | number);
var EPERM = errno(1);
var ENOSYS = errno(38);
var EAFNOSUPPORT = errno(97);
var CLONE_THREAD = 65536;
var CREATES = 64 | 4194304;
var load = (offset) => ({ code: 32, jt: 0, jf: 0, k: offset });
var jump = (code, k, jt, jf) => ({ code, jt, jf, k });
var EQUAL = 21;
var AT_LEAST = 53;
var ANY_BIT = 69;
var argument = (index) => load(16 + 8 * index);
function head(arch) {
  const x32 = arch === "x64" ? [jump(AT_LEAST, 1073741824, 0, 1), KILL] : [];
  const unknown = [jump(AT_LEAST, LAST_KNOWN_CALL + 1, 0, 1), ENOSYS];
  return [load(4), jump(EQUAL, AUDIT_ARCH[arch], 1, 0), KILL, load(0), ...x32, ...unknown];
}
function always(call, verdict) {
  return call === undefined ? [] : [jump(EQUAL, call, 0, 1), verdict];
}
function when(call, body) {
  return call === undefined ? [] : [jump(EQUAL, call, 0, body.length + 1), ...body, load(0)];
}
var unlessBit = (index, bit) => [argument(index), jump(ANY_BIT, bit, 1, 0)];
function assemble(program) {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, jt, jf, k }, index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k >>> 0, true);
  });
  return bytes;
}

var PLUGIN_ROOT = "/plugin";
var MAX_TMP_BYTES = 16 * 1024 * 1024;
var MAX_FILE_BYTES = 8 * 1024 * 1024;

async function* callsFrom(fd) {
  let parts = [];
  const decoder = new TextDecoder;
  for await (const chunk of Bun.file(fd).stream()) {
    const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split(`
`);
    parts.push(first);
    for (const line of lines) {
      yield JSON.parse(parts.join(""));
      parts = [line];
    }
  }
}

var MAX_FRAME_BYTES = 8 * 1024 * 1024;
var LIMITS = [
  [7, 256],
  [1, 8 * 1024 * 1024]
];
var libc = dlopen("libc.so.6", {
  dup: { args: ["i32"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  syscall: { args: ["i64", "i64", "i64", "ptr"], returns: "i64" }
}).symbols;
var input = libc.dup(0);
var output = libc.dup(1);
libc.dup2(openSync("/dev/null", "r"), 0);
libc.dup2(2, 1);
harden();
var pending = new Map;
var rpcs = 0;
Bun.plugin({
  name: "hookpkg-sdk",
  setup(build) {
    build.module("@hookpkg/sdk", () => ({ exports: { ...exports_sdk }, loader: "object" }));
  }
});
say({ ready: 1 });
var modules = new Map;
var first = process.argv[2];
if (first !== undefined)
  load2(first).catch(() => {});
var current;
for (const stray of ["uncaughtException", "unhandledRejection"]) {
  process.on(stray, (error) => {
    console.error(error);
    if (current === undefined)
      process.exit(1);
    end2({ id: current, failed: "E_RUN_THREW", detail: words(error) });
  });
}
for await (const frame of callsFrom(input)) {
  if (!("call" in frame))
    settle(frame);
  else {
    current = frame.id;
    rpcs = 0;
    pending.clear();
    answer(frame);
  }
}
function harden() {
  for (const [resource, value] of LIMITS) {
    const pair = new BigUint64Array([BigInt(value), BigInt(value)]);
    if (libc.setrlimit(resource, ptr(pair)) !== 0)
      throw new Error(`limit ${resource} was not set`);
  }
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const filter = noExecFilter(arch);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, filter.byteLength / 8, true);
  program.setBigUint64(8, BigInt(ptr(filter)), true);
  const seccomp = { x64: 317, arm64: 277 }[arch];
  const [SET_MODE_FILTER, ALL_THREADS] = [1, 1];
  if (Number(libc.syscall(seccomp, SET_MODE_FILTER, ALL_THREADS, ptr(program))) !== 0)
    throw new Error("the filter was not set");
}
function load2(path) {
  const known = modules.get(path) ?? imported(`${PLUGIN_ROOT}/${path}`);
  modules.set(path, known);
  return known;
}
async function imported(path) {
  const module = await import(path);
  if (typeof module.default !== "function")
    throw new Error("the default export is not a function");
  return module.default;
}
async function answer(call) {
  const { id } = call;
  let handle;
  try {
    handle = await load2(call.module ?? "");
  } catch (error) {
    return end2({ id, failed: "E_RUN_MODULE", detail: words(error) });
  }
  try {
    const said = await handle(call.payload, contextOf(call));
    end2({ id, answer: said === undefined ? { answer: "continue" } : said });
  } catch (error) {
    end2({ id, failed: "E_RUN_THREW", detail: words(error) });
  }
}
function end2(frame) {
  if (current !== frame.id)
    return;
  say(frame);
  current = undefined;
}
function contextOf(call) {
  const from = performance.now();
  let signal;
  const rpc = (name, args) => ask2(call.id, name, args);
  const { host, project, event, recheck, options, env, deadlineMs } = call;
  const text = (word) => typeof word === "string" ? word : Bun.inspect(word);
  return {
    ...{ host, project, event, recheck, options, env },
    session: call.payload.session_id,
    turn: call.payload.turn_id,
    get signal() {
      signal ??= AbortSignal.timeout(Math.max(0, from + deadlineMs - performance.now()));
      return signal;
    },
    log: (...said) => void rpc("log", said.map(text).join(" ")).catch(() => {}),
    fetch: async (url, init) => responseOf(await rpc("fetch", await fetchArgs(url, init))),
    emit: (name, data) => {
      const taken = rpc("emit", [name, data ?? null]);
      taken.catch(() => {});
      return taken;
    },
    complete: (...args) => rpc("complete", args),
    storage: {
      get: async (key) => (await rpc("storage", ["get", key]))[0],
      set: async (key, value) => void await rpc("storage", ["set", key, value ?? null]),
      delete: (key) => rpc("storage", ["delete", key]),
      list: (prefix) => rpc("storage", ["list", prefix ?? ""])
    }
  };
}
async function fetchArgs(url, init = {}) {
  const { method, headers, body } = init;
  const bytes = body === undefined || body === null ? undefined : new Response(body);
  const type = bytes?.headers.get("content-type");
  const named = new Headers(headers);
  if (type && !named.has("content-type"))
    named.set("content-type", type);
  return [
    String(url),
    {
      ...method === undefined ? {} : { method },
      headers: named.toJSON(),
      ...bytes === undefined ? {} : { base64: Buffer.from(await bytes.arrayBuffer()).toString("base64") }
    }
  ];
}
function responseOf(said) {
  const { status, url, headers, base64 } = said;
  const hasBody = ![204, 205, 304].includes(status);
  const response = new Response(hasBody ? Buffer.from(base64, "base64") : null, { status, headers });
  Object.defineProperty(response, "url", { value: url });
  return response;
}
function ask2(id, rpc, args) {
  if (current !== id)
    return Promise.reject(new Error("the call is over"));
  const n = ++rpcs;
  return new Promise((resolve, reject) => {
    pending.set(n, { resolve, reject });
    say({ id, rpc, n, args });
  });
}
function settle(result) {
  if (result.id !== current)
    return;
  const waiting = pending.get(result.n);
  pending.delete(result.n);
  if ("ok" in result)
    waiting?.resolve(result.ok);
  else
    waiting?.reject(Object.assign(new Error(result.error.message), { code: result.error.code }));
}
function say(frame) {
  const line = new TextEncoder().encode(`${JSON.stringify(frame)}
`);
  if (line.byteLength > MAX_FRAME_BYTES)
    throw new Error("the answer is too large");
  for (let at = 0;at < line.byteLength; )
    at += writeSync(output, line, at);
}
function words(error) {
  try {
    const text = error instanceof Error ? error.stack ?? error.message : Bun.inspect(error);
    return text.slice(0, 2000);
  } catch {
    return "an error that cannot be shown";
  }
}
